import { execFile, spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTicketKey } from '@natter/token-proxy';
import type { BrowserContext, Page } from '@playwright/test';
import { marked } from 'marked';
import { build } from 'vite';
import { expect, test } from './fixtures.ts';
import { ChatPanel } from './page/chat-panel.ts';
import { PATIENCE } from './patience.ts';
import { type CustomerSite, page as draw, serveCustomerSite, snippet } from './stack/customer-site.ts';
import { exampleRoot, talkAndRename, watchFaults } from './stack/example-site.ts';
import { findFreePort } from './stack/free-port.ts';
import { runProcess } from './stack/run-process.ts';
import { CONNECTOR_TOKEN } from './stack/stack.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = ['natter', '@natter/sdk', '@natter/token-proxy', '@natter/platform'];
const run = promisify(execFile);
const versionOf = (name: string): string => createRequire(import.meta.url)(`${name}/package.json`).version;

/** One page per way to embed; `endpoint` comes from the address of the page. */
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

/** Modules that a customer's server may import; the program ends when nothing keeps running. */
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
  import { NatterChat as ForVue, type ChatRefs } from 'natter/vue';
  import { useChat, type ChatValues, type NatterChatElementProps } from 'natter/preact';
  import { createTokenProxy } from '@natter/token-proxy';
  import * as sdk from '@natter/sdk';
  const options: WidgetOptions = { endpoint: 'https://chat.example.com' };
  export const widget: NatterWidget = mount(options);
  export const props: NatterChatProps = { ...options, onMessage: ({ text }) => text.length };
  export const opened: Promise<void> | undefined = window.Natter?.open?.();
  (window.Natter ||= []).push((natter) => natter.open());
  window.Natter?.push((natter) => natter.on('message', ({ text }) => text.length));
  export const attributes: NatterChatElementProps = { endpoint: 'https://chat.example.com', 'agent-name': 'Ada' };
  export const count = ({ messages }: ChatValues, refs: ChatRefs): boolean => messages === refs.messages.value;
  // @ts-expect-error An address is a text.
  export const wrong: WidgetOptions = { endpoint: 1 };
  export { createChatClient, createTokenProxy, ForVue, NatterChat, NatterChatElement, protocol, sdk, useChat };
`;

let folder = '';
let site: CustomerSite | undefined;

const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);

/** Packs into the folder and returns npm's JSON report. */
async function pack(args: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, ...args], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

test.beforeAll(async () => {
  // Compiles, packs and installs four packages.
  test.setTimeout(120_000 * PATIENCE);
  folder = mkdtempSync(join(tmpdir(), 'natter-packed-'));
  // Without `prepack`, which empties `dist/embed` while other tests read it; global-setup.ts has built the bundles.
  await run(bin('tsc'), ['-b'], { cwd: ROOT });
  await run(process.execPath, [join(ROOT, 'scripts/build.ts'), 'servers'], { cwd: ROOT });
  const stdout = await pack(['--ignore-scripts', '--workspaces']);
  const all = JSON.parse(stdout) as readonly { readonly name: string; readonly filename: string }[];
  const packed = all.filter(({ name }) => PACKAGES.includes(name));
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

test('the packed packages contain what they need and no tests', () => {
  for (const name of PACKAGES) {
    const files = globSync('**/*', { cwd: join(folder, 'node_modules', name) });
    expect(files.length, name).toBeGreaterThan(3);
    expect(
      files.filter((file) => /\.test\.|(^|\/)testing\/|\.tsbuildinfo$/.test(file)),
      name,
    ).toEqual([]);
  }
  const natter = join(folder, 'node_modules/natter/dist');
  // For the App Router of Next.js: a server page may render the component.
  expect(readFileSync(join(natter, 'react.js'), 'utf8')).toMatch(/^(['"])use client\1;/);
  const scripts = globSync(['*.js', 'chunks/*.js', 'embed/**/*.js'], { cwd: natter });
  expect(scripts.length).toBeGreaterThan(20);
  for (const script of scripts) {
    // An entry that only re-exports needs no source map.
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
    expect.arrayContaining([
      'natter',
      'natter/element',
      'natter/react',
      'natter/preact',
      'natter/vue',
      '@natter/sdk',
    ]),
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

// The fourth package is packed with its `prepack` by `npm run check`, which builds it only that way.
test('packing a server package builds it', async () => {
  // Compiles the package and its dependencies from scratch.
  test.slow();
  // No other test runs this file of the package.
  rmSync(join(ROOT, 'server-token-proxy/dist/program/cli.js'), { force: true });
  const [packed] = JSON.parse(await pack(['-w', '@natter/token-proxy']));
  const files = packed.files.map(({ path }: { readonly path: string }) => path);
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/program/cli.js']),
  );
  for (const name of PACKAGES) {
    const manifest = createRequire(import.meta.url)(`${name}/package.json`);
    // Output of `prepack` would precede the JSON of `npm pack`.
    expect(manifest.scripts.prepack, name).toMatch(
      /^(?:npm run build|tsc -b --force|node \.\.\/scripts\/build\.ts [a-z ]+) >&2$/,
    );
  }
});

test('every package has its licence and a read-me with working links', () => {
  for (const name of PACKAGES) {
    const root = join(folder, 'node_modules', name);
    expect(readFileSync(join(root, 'LICENSE'), 'utf8'), name).toBe(
      readFileSync(join(ROOT, 'LICENSE'), 'utf8'),
    );
    const pages = globSync(['*.md', 'docs/**/*.md', 'server-*/*.md'], { cwd: root });
    expect(pages, name).toContain('README.md');
    const broken = pages.flatMap((page) =>
      readLinks(readFileSync(join(root, page), 'utf8'))
        .filter((link) => !/^(https?:|mailto:|#)/.test(link))
        .filter((link) => !existsSync(join(root, dirname(page), link.replace(/#.*$/, ''))))
        .map((link) => `${name}/${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  }
});

test('the Next.js example is built by the App Router, rendered on its server, and answers through its own route', async ({
  page,
  chat,
  stack,
}) => {
  // The compiler of Next.js takes half a minute, and as long again on a busy machine.
  test.setTimeout(120_000 * PATIENCE);
  process.env['NEXT_TELEMETRY_DISABLED'] = '1';
  const app = exampleRoot('next');
  // Its route uses the token proxy's package, which is tested here because no other file may build it at the same time.
  const next = join(ROOT, 'node_modules/next/dist/bin/next');
  await run(process.execPath, [next, 'build', app]);
  const port = String(await findFreePort());
  const address = `http://127.0.0.1:${port}/`;
  const site = runProcess(next, ['start', app, '--port', port, '--hostname', '127.0.0.1'], {
    NATTER_UPSTREAM_URL: stack.urls.platform,
    NATTER_CONNECTOR_TOKEN: CONNECTOR_TOKEN,
    NATTER_CONNECTOR_HOST: '127.0.0.1',
    NATTER_TICKET_KEYS: createTicketKey(),
    NATTER_ALLOWED_ORIGINS: new URL(address).origin,
  });
  await site.waitForLine(/Ready/);
  const faults = watchFaults(page);
  await page.goto(address);
  await expect(page).toHaveTitle('Natter in a Next.js app');
  await talkAndRename(page, chat);
  expect((await page.context().cookies()).map(({ name, httpOnly }) => ({ name, httpOnly }))).toEqual([
    { name: expect.stringMatching(/^natter-/), httpOnly: true },
  ]);

  // A server component that only passes properties, inline.
  await page.goto(`${address}plain`);
  await expect(page.locator('main natter-chat').getByRole('dialog')).toBeVisible();
  expect(faults).toEqual([]);
  await site.stop();
});

/** Returns the addresses of links and pictures in a Markdown page. */
function readLinks(markdown: string): readonly string[] {
  const links: string[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(String(token['href']));
  });
  return links;
}

test('the documented commands run the installed packages, not packages of that name elsewhere', async () => {
  for (const name of ['@natter/token-proxy', '@natter/platform']) {
    const readme = readFileSync(join(folder, 'node_modules', name, 'README.md'), 'utf8');
    const commands = [...readme.matchAll(/\bnpx (\S+)/g)].map(([, command]) => command);
    expect(commands.length).toBeGreaterThan(0);
    expect(new Set(commands)).toEqual(new Set([name]));
    for (const cwd of [folder, ROOT]) {
      const { stdout } = await run('npx', ['--offline', '--no', name, '--', '--help'], { cwd });
      expect(stdout).toContain(name.replace('@natter/', 'natter-'));
    }
  }
});

test('the packed servers work: the platform in a new folder, the proxy with the tag to paste', async () => {
  const platform = runIn(folder, [
    '@natter/platform',
    'serve',
    '--data',
    join(folder, 'data'),
    '--port',
    '0',
  ]);
  let proxy: RunningCommand | undefined;
  try {
    const [, token = ''] = await platform.waitFor(/shown only this once: (nct_\S+)/);
    const [, upstream = ''] = await platform.waitFor(/Serving on (\S+)/);
    proxy = runIn(folder, ['@natter/token-proxy'], {
      NATTER_UPSTREAM_URL: upstream,
      NATTER_CONNECTOR_TOKEN: token,
      NATTER_CONNECTOR_HOST: 'localhost',
      NATTER_TICKET_KEYS: createTicketKey(),
      NATTER_ALLOWED_ORIGINS: 'http://localhost:3000',
      PORT: '0',
    });
    const [, address = ''] = await proxy.waitFor(/listens on (\S+)/);
    const [, script = ''] = await proxy.waitFor(/<script src="(\S+)" defer><\/script>/);
    expect(script).toBe(`${address}/natter.js`);
    expect((await fetch(script)).status).toBe(200);
    const session = await fetch(`${address}/v1/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'http://localhost:3000' },
      body: '{}',
    });
    expect(session.status).toBe(200);
  } finally {
    await proxy?.stop();
    await platform.stop();
  }
});

interface RunningCommand {
  /** Resolves when the output matches. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  stop(): Promise<void>;
}

/** Runs `npx` without a network in a separate process group. */
function runIn(cwd: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): RunningCommand {
  const child = spawn('npx', ['--offline', '--no', ...args], {
    cwd,
    env: { ...process.env, DATABASE_URL: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'exit');
  let output = '';
  const look = new EventEmitter();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
      look.emit('more');
    });
  child.on('exit', () => look.emit('more'));
  return {
    async waitFor(pattern) {
      for (;;) {
        const found = pattern.exec(output);
        if (found) return found;
        if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended:\n${output}`);
        await once(look, 'more');
      }
    },
    async stop() {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}

test('an old Node installs the browser package, and the servers name their requirement in one sentence', async () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/natter/package.json'), 'utf8'));
  expect(manifest.engines).toBeUndefined();
  for (const [name, command] of [
    ['@natter/platform', 'natter-platform'],
    ['@natter/token-proxy', 'natter-token-proxy'],
  ] as const) {
    const root = join(folder, 'node_modules', name);
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const file = join(root, 'bin', `${command}.js`);
    const code = readFileSync(file, 'utf8');
    // Syntax at which an old Node would fail before it reaches the check.
    expect(code).not.toMatch(/^import |^await |\?\?=/m);
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' });
      import(${JSON.stringify(file)});`;
    for (const run of [
      [process.execPath, '--eval', pretend],
      ...(await findOldNode()).map((node) => [node, file]),
    ]) {
      const [node = '', ...args] = run;
      const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(
        new RegExp(`^${command} needs Node ${engines.node.slice(2)} or later, and .*\\.\n$`),
      );
    }
  }
});

test('the headless client says where a WebSocket is missing', async () => {
  writeFileSync(
    join(folder, 'headless.js'),
    `delete globalThis.WebSocket;
    const { createChatClient } = await import('natter/client');
    await createChatClient({ endpoint: 'https://127.0.0.1:9' }).start();`,
  );
  for (const node of [process.execPath, ...(await findOldNode())]) {
    const { status, stderr } = spawnSync(node, ['headless.js'], { cwd: folder, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('TypeError: There is no WebSocket here.');
  }
});

/** Returns the machine's own Node if it is too old for the servers; otherwise none. */
async function findOldNode(): Promise<readonly string[]> {
  const own = ['/usr/bin/node', '/usr/local/bin/node'].filter((path) => existsSync(path));
  const versions = await Promise.all(own.map(async (path) => (await run(path, ['--version'])).stdout));
  return own.filter((_, index) => Number(/^v(\d+)/.exec(versions[index] ?? '')?.[1]) < 22);
}

test('a page with the widget only loads the client late', async () => {
  for (const name of ['mount', 'element', 'react', 'vue']) {
    const input = join(folder, `${name}-alone.js`);
    writeFileSync(input, `const endpoint = 'https://chat.example.com';\n${ENTRIES[name]}`);
    const built = await build({
      configFile: false,
      root: folder,
      logLevel: 'silent',
      build: { write: false, rolldownOptions: { input } },
    });
    const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
    const scripts = chunks.filter((chunk) => chunk.type === 'chunk');
    const atOnce = new Set(scripts.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
    for (const fileName of atOnce) {
      for (const other of scripts.find((script) => script.fileName === fileName)?.imports ?? [])
        atOnce.add(other);
    }
    const client = scripts.filter(({ moduleIds }) =>
      moduleIds.some((id) => id.endsWith('/natter/dist/chunks/client.js')),
    );
    expect(client, name).toHaveLength(1);
    expect(
      client.filter(({ fileName }) => atOnce.has(fileName)),
      name,
    ).toEqual([]);
  }
});

/** Opens the only widget of the page and has a conversation. */
async function talk(chat: ChatPanel): Promise<void> {
  await expect(chat.launcher).toHaveCount(1);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
}

test('script tag, module, element, React and Vue work with the packed files, also several on one page', async ({
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
  /** Each is a different visitor. */
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
    // One is destroyed, the other stays.
    await page.evaluate(() => Reflect.get(window, 'first').destroy());
    await expect(page.locator('natter-chat')).toHaveCount(1);
    await expect(other).toBeVisible();
  });
  expect(faults).toEqual([]);
  for (const context of contexts) await context.close();
});
