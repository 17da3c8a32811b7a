// Writes what the containers of deploy/ need, with fresh secrets: `npm run deploy:env -- [CHAT_HOST [SITE_HOST]]`. The
// hosts of the chat and of the site whose visitors it serves are this machine unless they are named. It uses nothing but
// Node, so that a fresh clone needs no `npm install`, and overwrites no file.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Another folder than the repository is for tests.
const [chatHost = 'localhost', siteHost = chatHost, target = fileURLToPath(new URL('..', import.meta.url))] =
  process.argv.slice(2);
const DEPLOY = new URL('../deploy/', import.meta.url);
const environmentFile = join(target, '.env');
const local = join(target, 'deploy/local');

const EXAMPLE_ARTICLE = `---
title: Opening hours
questions: [When are you open?, What are your opening hours?]
---
We are here from Monday to Friday, nine to five.
`;

const connectorToken = randomBytes(32).toString('hex');
const values: Readonly<Record<string, string>> = {
  NATTER_CHAT_HOST: chatHost,
  NATTER_CONNECTOR_HOST: siteHost,
  // A page of this machine is rarely served with TLS.
  NATTER_ALLOWED_ORIGINS:
    siteHost === 'localhost' ? 'https://localhost,http://localhost:3000' : `https://${siteHost}`,
  NATTER_CONNECTOR_TOKEN: connectorToken,
  NATTER_TICKET_KEYS: randomBytes(32).toString('base64url'),
  NATTER_TOKEN_SECRET: randomBytes(36).toString('hex'),
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
  NATS_PASSWORD: randomBytes(24).toString('hex'),
};

const existing = [environmentFile, join(local, 'natter.json')].filter((file) => existsSync(file));
if (existing.length > 0) {
  console.error(
    `${existing.join(' and ')} exists already. Its secrets belong to the data: move it away first.`,
  );
  process.exit(1);
}
const environment = readFileSync(new URL('compose.env', DEPLOY), 'utf8').replace(
  /^(\w+)=(.*)$/gm,
  (_line, name: string, value: string) => `${name}=${values[name] ?? value}`,
);
const configuration = readFileSync(new URL('natter.json', DEPLOY), 'utf8')
  .replace(/"the output of: [^"]*"/, () => JSON.stringify(connectorToken))
  .replaceAll('www.example.com', () => siteHost);
// The folder keeps other users of this machine out. The user of the images reads the files in it, which are mounted.
mkdirSync(local, { recursive: true, mode: 0o700 });
mkdirSync(join(local, 'articles'), { recursive: true });
writeFileSync(environmentFile, environment, { mode: 0o600 });
writeFileSync(join(local, 'natter.json'), configuration);
if (!existsSync(join(local, 'articles/opening-hours.md')))
  writeFileSync(join(local, 'articles/opening-hours.md'), EXAMPLE_ARTICLE);
console.log(`Wrote .env, deploy/local/natter.json and deploy/local/articles. Next:

  docker compose up -d --build

and paste into the pages of ${siteHost}:

  <script src="https://${chatHost}/natter.js" defer></script>`);
