import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { parse as parseVue } from 'vue/compiler-sfc';
import type { Setup } from '../../../console/views/install/options.ts';
import { writeSnippets } from '../../../console/views/install/snippets.ts';
import { PATIENCE } from '../../../e2e/patience.ts';
import { readEnvironment } from '../../../server-token-proxy/src/command/read-environment.ts';
import {
  contentSecurityDirectives,
  createTicketKey,
  createTokenProxy,
} from '../../../server-token-proxy/src/index.ts';
import { compileSamples, makeSamplesFolder } from './compile-samples.ts';

const folder = makeSamplesFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const PLATFORM = 'https://platform.example.com';
/** A setting of each kind: texts, choices, switches, numbers, lists and objects. */
const WHOLE: Setup = {
  attributes: {
    ...{ endpoint: 'https://chat.example.org', connector: 'shop', title: 'Say "hi" & <b>go</b>' },
    ...{ accent: '#c2410c', theme: 'dark', position: 'start', 'auto-open': 'true', 'show-header': 'false' },
    ...{ features: 'feedback', 'image-hosts': 'cdn.example.org', avatar: 'https://img.example.org/a.png' },
    ...{ hours: 'Mo-Fr 09:00-17:00', 'hours-time-zone': 'Europe/London', 'outside-hours': 'closed' },
    proactive: JSON.stringify([{ id: 'fares', text: "Can't find it?", afterSeconds: 20 }]),
    localized: JSON.stringify({ de: { title: 'Fragen' } }),
    'policy-links': JSON.stringify([{ label: 'Privacy', url: 'https://www.example.org/privacy' }]),
  },
  properties: { '--natter-radius': '0.5' },
  sheet: 'ink',
  site: 'https://www.example.org',
};
const EMPTY: Setup = { attributes: {}, properties: {}, sheet: '', site: '' };

const write = (setup: Setup): Readonly<Record<string, string>> =>
  Object.fromEntries(writeSnippets(setup, PLATFORM).map(({ id, text }) => [id, text]));
const scriptOf = (vue: string): string => parseVue(vue).descriptor.scriptSetup?.content ?? '';
it.each([
  ['whole', WHOLE],
  ['empty', EMPTY],
] as const)(
  'the snippets of a setup compile for React, Vue, npm and headless: %s',
  async (name, setup) => {
    const { react = '', vue = '', npm = '', headless = '' } = write(setup);
    // Bound in a template, so their names of props are checked against the types here.
    const bound = scriptOf(vue).replace(/^};$/m, "} satisfies InstanceType<typeof NatterChat>['$props'];");
    const files = {
      'react.tsx': react,
      ...{ 'vue.ts': bound, 'npm.ts': npm, 'headless.ts': headless },
      'themes.d.ts': "declare module '*.css';",
    };
    expect(await compileSamples(folder, name, files, { strict: true })).toBe('');
    // The compiler is a separate program: it takes seconds on an idle machine, longer on a busy one.
  },
  60_000 * PATIENCE,
);

it('the environment starts a token proxy once it contains the secrets', () => {
  for (const setup of [WHOLE, { ...EMPTY, site: WHOLE.site }]) {
    const { proxy = '' } = write(setup);
    const lines = proxy
      .replace('CONNECTOR_TOKEN=CONNECTOR_TOKEN', 'CONNECTOR_TOKEN=nct_secret')
      .replace('=TICKET_KEY', `=${createTicketKey()}`)
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
    const read = readEnvironment(Object.fromEntries(lines));
    expect(read).toMatchObject({ status: 'ready' });
    if (read.status !== 'ready') continue;
    expect(read.options.allowedOrigins).toEqual(['https://www.example.org']);
    expect(read.options.upstreamUrl).toBe(PLATFORM);
    createTokenProxy(read.options);
  }
});

it('the header allows every source that the widget needs, as the token proxy reports them', () => {
  const { csp = '' } = write(WHOLE);
  const written = new Map(
    [...csp.matchAll(/^ {2}([\w-]+) ([^;]+);?$/gm)].map(([, name = '', sources = '']) => [
      name,
      sources.split(' '),
    ]),
  );
  const needed = contentSecurityDirectives({
    endpoint: 'https://chat.example.org',
    platform: PLATFORM.replace('https', 'wss'),
    images: ['cdn.example.org', 'https://img.example.org'],
  });
  // Other directives are up to the site.
  for (const name of ['script-src', 'connect-src', 'img-src'])
    expect(
      written.get(name)?.map((source) => source.replace('https://cdn', 'cdn')),
      name,
    ).toEqual(expect.arrayContaining([...(needed[name] ?? [])]));
});
