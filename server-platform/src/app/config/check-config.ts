import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import type { PlatformConfig } from './load-config.ts';

/** Name of the file in the data folder that keeps the token secret when none is configured. */
export const TOKEN_SECRET_FILE = 'token-secret';

// Requires only the Node that runs the platform.
const MAKE_SECRET = `node -e "console.log(require('node:crypto').randomBytes(48).toString('base64url'))"`;

/** Checks combinations of settings. Fails with a `ConfigError` that lists every problem. */
export function checkConfig(config: PlatformConfig): void {
  const { busUrl, busFiles, database, tokenSecrets } = config;
  const problems: ConfigProblem[] = [];
  if (busUrl !== null && database.url === null) {
    problems.push({
      field: 'NATTER_BUS_URL',
      message: 'is for several nodes, which need DATABASE_URL: the embedded database has one',
    });
  }
  const isNats = busUrl !== null && /^(nats|tls):/.test(busUrl);
  if (Object.keys(busFiles).length > 0 && !isNats) {
    problems.push({
      field: 'bus',
      message: 'has files for NATS, so NATTER_BUS_URL must be nats:// or tls://',
    });
  }
  if ((busFiles.certificateFile === undefined) !== (busFiles.keyFile === undefined)) {
    problems.push({ field: 'bus', message: 'needs certificateFile and keyFile together' });
  }
  const missing = Object.values(busFiles).filter((path) => !existsSync(path));
  if (missing.length > 0)
    problems.push({ field: 'bus', message: `names files that do not exist: ${missing.join(', ')}` });
  if (isNats && !busUrl.split(',').every((url) => URL.canParse(url.trim()))) {
    problems.push({
      field: 'NATTER_BUS_URL',
      message:
        'must be addresses separated by commas, each with a port up to 65535; in a password, # must be written as %23, / as %2F, ? as %3F and @ as %40',
    });
  }
  if (database.url !== null && tokenSecrets.length === 0) {
    problems.push({ field: 'NATTER_TOKEN_SECRET', message: explainMissingSecret(database.dataDir) });
  }
  if (problems.length > 0) throw new ConfigError('the configuration', problems);
}

/** Whether the configuration uses the platform's own desk as a handoff provider. */
export function hasDesk({ handoffProviders }: PlatformConfig): boolean {
  return [...handoffProviders.values()].some(({ kind }) => kind === 'desk');
}

function explainMissingSecret(dataDir: string): string {
  const kept = join(dataDir, TOKEN_SECRET_FILE);
  const lines = [
    'is missing. With DATABASE_URL every node needs the same secret, of at least 32 characters. Make one with',
    `      ${MAKE_SECRET}`,
    '    and keep it: with another secret, access tokens and stored webhook secrets are no longer accepted.',
  ];
  if (existsSync(kept))
    lines.push(
      `    A platform with the embedded database made one here. To keep using it, set it to the text of ${kept}`,
    );
  return lines.join('\n');
}
