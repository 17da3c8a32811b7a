import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from '@playwright/test';
import { build } from 'vite';
import { ChatPanel } from './chat-panel.ts';
import { type CustomerSite, page as draw, serveCustomerSite, snippet } from './customer-site.ts';
import { expect, test } from './fixtures.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = ['natter', '@natter/sdk', '@natter/token-proxy', '@natter/platform'];
const run = promisify(execFile);
const versionOf = (name: string): string => createRequire(import.meta.url)(`${name}/package.json`).version;

/** One page per way to embed; `endpoint` is filled in by the page's address. */
const ENTRIES: Readonly<Record<string, string>> = {
  mount: `import { mount } from 'natter';
    mount({ endpoint, agentName: 'Ada' });`,
  element: `import 'natter/element';
    const element = document.createElement('natter-chat');
    element.setAttribute('endpoint', endpoint);
    document.body.append(element);`,
  react: `import { createElement, StrictMode } from 'react';
    import { createRoot } from 'react-dom/client';
    import { NatterChat } from 'natter/react';
    createRoot(document.querySelector('#app')).render(
      createElement(StrictMode, null, createElement(NatterChat, { endpoint })));`,
  vue: `import { createApp, h } from 'vue';
    import { NatterChat } from 'natter/vue';
    createApp({ render: () => h(NatterChat, { endpoint }) }).mount('#app');`,
  several: `import { mount } from 'natter';
    import 'natter/element';
    window.first = mount({ endpoint, position: 'start', agentName: 'First' });
    const element = document.createElement('natter-chat');
    element.setAttribute('endpoint', endpoint);
    element.setAttribute('connector', 'second');
    element.setAttribute('agent-name', 'Second');
    document.body.append(element);`,
};

/** What a customer's server may import; ends by itself when nothing is left running. */
const ON_A_SERVER = `
  const names = {};
  for (const entry of process.argv.slice(2)) names[entry] = Object.keys(await import(entry));
  console.log(JSON.stringify(names));
`;

const ON_A_DESK = `
  import { mount, type NatterWidget, type WidgetOptions } from 'natter';
  import { createChatClient } from 'natter/client';
  import { NatterChatElement } from 'natter/element';
  import * as protocol from 'natter/protocol';
  import { NatterChat, type NatterChatProps } from 'natter/react';
  import { NatterChat as ForVue } from 'natter/vue';
  import { createTokenProxy } from '@natter/token-proxy';
  import * as sdk from '@natter/sdk';
  const options: WidgetOptions = { endpoint: 'https://chat.example.com' };
  export const widget: NatterWidget = mount(options);
  export const props: NatterChatProps = { ...options, onMessage: ({ text }) => text.length };
  export const opened: Promise<void> | undefined = window.Natter?.open();
  window.Natter?.push((natter) => natter.on('message', ({ text }) => text.length));
  // @ts-expect-error An address is a text.
  export const wrong: WidgetOptions = { endpoint: 1 };
  export { createChatClient, createTokenProxy, ForVue, NatterChat, NatterChatElement, protocol, sdk };
`;

let folder = '';
let site: CustomerSite | undefined;

const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);

test.beforeAll(async () => {
  test.setTimeout(240_000);
  folder = mkdtempSync(join(tmpdir(), 'natter-packed-'));
  await build({ configFile: join(ROOT, 'vite.config.ts'), root: ROOT, mode: 'npm', logLevel: 'silent' });
  await run(bin('tsc'), ['-b'], { cwd: ROOT });
  const workspaces = PACKAGES.flatMap((name) => ['-w', name]);
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...workspaces],
    {
      cwd: ROOT,
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const packed = JSON.parse(stdout) as readonly { readonly name: string; readonly filename: string }[];
  const dependencies = {
    ...Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${filename}`])),
    ...Object.fromEntries(['react', '@types/react', 'vue'].map((name) => [name, versionOf(name)])),
    'react-dom': versionOf('react'),
  };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  await run(
    'npm',
    ['install', '--prefer-offline', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'],
    {
      cwd: folder,
    },
  );
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
test.afterEach(async () => {
  await site?.close();
  site = undefined;
});

test('the packed packages hold what they need and no tests', () => {
  for (const name of PACKAGES) {
    const files = globSync('**/*', { cwd: join(folder, 'node_modules', name) });
    expect(files.length, name).toBeGreaterThan(3);
    expect(
      files.filter((file) => /\.test\.|(^|\/)testing\/|\.tsbuildinfo$/.test(file)),
      name,
    ).toEqual([]);
  }
  const natter = join(folder, 'node_modules/natter/dist');
  const scripts = globSync(['*.js', 'chunks/*.js', 'embed/**/*.js'], { cwd: natter });
  expect(scripts.length).toBeGreaterThan(20);
  for (const script of scripts) {
    // An entry that only names what another file holds has nothing to map.
    const code = readFileSync(join(natter, script), 'utf8').replace(/^(?:import|export)\b[^;]*;\s*/gm, '');
    if (code.trim()) expect(existsSync(join(natter, `${script}.map`)), script).toBe(true);
  }
});

test('every entry can be imported on a server, keeps nothing running, and has its types', async () => {
  writeFileSync(join(folder, 'server.js'), ON_A_SERVER);
  const entries = PACKAGES.flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
    return Object.keys(manifest.exports)
      .filter((path) => !/\.(css|json)$/.test(path))
      .map((path) => join(name, path));
  });
  expect(entries).toEqual(
    expect.arrayContaining(['natter', 'natter/element', 'natter/react', 'natter/vue', '@natter/sdk']),
  );
  const { stdout } = await run(process.execPath, ['server.js', ...entries], { cwd: folder });
  for (const [entry, names] of Object.entries(JSON.parse(stdout))) expect(names, entry).not.toEqual([]);

  writeFileSync(join(folder, 'desk.ts'), ON_A_DESK);
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--lib',
    'es2023,dom,dom.iterable',
  ];
  await run(bin('tsc'), [...flags, '--skipLibCheck', '--types', 'react', 'desk.ts'], { cwd: folder });
});

test('the commands of the packed servers start', async () => {
  for (const name of ['natter-token-proxy', 'natter-platform']) {
    const { stdout } = await run(process.execPath, [join(folder, 'node_modules/.bin', name), '--help']);
    expect(stdout).toContain(name);
  }
});

/** Opens the one widget of the page and talks. */
async function talk(chat: ChatPanel): Promise<void> {
  await expect(chat.launcher).toHaveCount(1);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
}

test('script tag, module, element, React and Vue talk from the packed files, and several on one page', async ({
  browser,
  stack,
}) => {
  for (const [name, code] of Object.entries(ENTRIES)) {
    const lines = code.split('\n');
    const imports = lines.filter((line) => line.trim().startsWith('import '));
    const rest = lines.filter((line) => !line.trim().startsWith('import '));
    const endpoint = `const endpoint = new URLSearchParams(location.search).get('endpoint');`;
    writeFileSync(join(folder, `${name}.js`), [...imports, endpoint, ...rest].join('\n'));
    const html = draw(`<div id="app"></div><script type="module" src="/${name}.js"></script>`);
    writeFileSync(join(folder, `${name}.html`), html);
  }
  const outDir = join(folder, 'site');
  await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    build: {
      outDir,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: Object.keys(ENTRIES).map((name) => join(folder, `${name}.html`)) },
    },
  });
  const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };
  site = await serveCustomerSite(stack, {
    embedDir: join(folder, 'node_modules/natter/dist/embed'),
    connectors: ['default', 'second'],
    render: (path, urls) => {
      if (path === '/script.html') return { body: draw('<h1>A page</h1>', snippet(urls)) };
      const file = join(outDir, path);
      if (!existsSync(file)) return null;
      const type = types[extname(path)];
      return { body: readFileSync(file), ...(type && { type }) };
    },
  });
  const { urls } = site;
  const faults: string[] = [];
  const contexts: BrowserContext[] = [];
  /** Each with a visitor of its own. */
  const open = async (name: string): Promise<Page> => {
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(`${urls.site}/${name}.html?endpoint=${encodeURIComponent(urls.proxy)}`);
    return page;
  };

  for (const name of ['script', 'mount', 'element', 'react', 'vue']) {
    await test.step(name, async () => talk(new ChatPanel(await open(name))));
  }

  await test.step('several', async () => {
    const page = await open('several');
    const first = page.locator('html > natter-chat');
    const second = page.locator('body natter-chat');
    await first.getByRole('button', { name: 'Chat', exact: true }).click();
    await second.getByRole('button', { name: 'Chat', exact: true }).click();
    const [one, other] = [first.getByRole('dialog'), second.getByRole('dialog')];
    for (const dialog of [one, other])
      await expect(dialog.locator('[part~="agent-message"]').first()).toBeVisible();
    await other.getByRole('textbox').fill('Do you have wifi on board?');
    await other.getByRole('textbox').press('Enter');
    await expect(other.locator('[part~="agent-message"]').last()).toContainText(/wi-?fi/i);
    await expect(one.getByText(/wi-?fi/i)).toHaveCount(0);
    // One goes, the other stays.
    await page.evaluate(() => Reflect.get(window, 'first').destroy());
    await expect(page.locator('natter-chat')).toHaveCount(1);
    await expect(other).toBeVisible();
  });
  expect(faults).toEqual([]);
  for (const context of contexts) await context.close();
});
