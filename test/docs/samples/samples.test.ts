import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Window } from 'happy-dom';
import { parse as parseToml } from 'smol-toml';
import { afterAll, describe, expect, it } from 'vitest';
import { compileScript, compileTemplate, parse as parseVue } from 'vue/compiler-sfc';
import { parse as parseYaml } from 'yaml';
import { PATIENCE } from '../../../e2e/patience.ts';
import { ATTRIBUTES } from '../../../src/embed/attributes.ts';
import { compileSamples, makeSamplesFolder } from './compile-samples.ts';
import { readSamples, type Sample } from './read-samples.ts';
import { surround } from './surroundings.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SAMPLES = readSamples();
const inLanguages = (...languages: readonly string[]): readonly Sample[] =>
  SAMPLES.filter(({ language }) => languages.includes(language));

const folder = makeSamplesFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const isThere = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args).status === 0;

/** Returns the samples by file names that contain their page. */
const asFiles = (samples: readonly Sample[], ending: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    samples.map((sample, index) => [
      `${sample.page.replace(/\W+/g, '-')}-${index}.${ending}`,
      surround(sample),
    ]),
  );

/** Runs a checker on samples, each on its standard input; returns its messages. */
function complaints(
  samples: readonly Sample[],
  command: string,
  ...args: readonly string[]
): readonly string[] {
  return samples.flatMap(({ page, text }) => {
    const { status, stderr, stdout } = spawnSync(command, args, { input: text, encoding: 'utf8' });
    return status === 0 ? [] : [`${page}: ${stderr}${stdout}`];
  });
}

// Compilers and shells are separate programs: they take seconds on an idle machine, longer on a busy one.
describe('the samples of the documents', { timeout: 60_000 * PATIENCE }, () => {
  it('every sample is in a language that a test checks', () => {
    // test/protocol sends HTTP and JSON frames to a platform.
    const plain = ['', 'text', 'http', 'md'];
    const checked = ['ts', 'tsx', 'js', 'vue', 'html', 'css', 'json', 'jsonc', 'yaml', 'toml', 'sh'];
    const programs = ['python', 'php', 'go'];
    const known = new Set([...plain, ...checked, ...programs]);
    expect(SAMPLES.filter(({ language }) => !known.has(language))).toEqual([]);
    expect(SAMPLES.length).toBeGreaterThan(200);
  });

  it('samples in TypeScript compile, and a faulty one would not', async () => {
    const strict = { strict: true, exactOptionalPropertyTypes: true };
    const files = { ...asFiles(inLanguages('ts'), 'ts'), ...asFiles(inLanguages('tsx'), 'tsx') };
    const wrong = "import { mount } from 'natter';\nmount({ endpoint: 1 });\n";
    const printed = await compileSamples(folder, 'typescript', { ...files, 'wrong.ts': wrong }, strict);
    const lines = printed.split('\n').filter((line) => line.includes('error'));
    expect(lines.filter((line) => !line.includes('wrong.ts'))).toEqual([]);
    expect(lines.length).toBe(1);
  });

  it('samples in JavaScript compile against the types', async () => {
    expect(
      await compileSamples(folder, 'javascript', asFiles(inLanguages('js'), 'ts'), { strict: false }),
    ).toBe('');
  });

  it('samples of Vue components compile', () => {
    for (const { page, text } of inLanguages('vue')) {
      const source = text.includes('<template>') ? text : `<template>\n${text}\n</template>`;
      const { descriptor, errors } = parseVue(source, { filename: page });
      expect(errors, page).toEqual([]);
      if (descriptor.scriptSetup) compileScript(descriptor, { id: page });
      const template = { source: descriptor.template?.content ?? '', filename: page, id: page };
      expect(compileTemplate(template).errors, page).toEqual([]);
    }
  });

  it('samples in HTML set attributes that the script reads, and contain valid JSON and scripts', () => {
    const samples = inLanguages('html');
    expect(samples.length).toBeGreaterThan(20);
    for (const { page, text } of samples) {
      const { document } = new Window();
      document.body.innerHTML = text;
      for (const script of document.querySelectorAll('script[src]')) {
        const names = script.getAttributeNames().filter((name) => name.startsWith('data-'));
        expect(
          Object.keys(ATTRIBUTES).map((name) => `data-${name}`),
          page,
        ).toEqual(expect.arrayContaining(names));
        for (const name of names) {
          const value = script.getAttribute(name) ?? '';
          if (/^[[{]/.test(value)) JSON.parse(value);
        }
      }
      for (const { textContent } of document.querySelectorAll('script:not([src])')) new Function(textContent);
    }
  });

  it('samples in CSS are style sheets that a browser accepts', () => {
    for (const { page, text } of inLanguages('css')) {
      const { document } = new Window();
      document.head.innerHTML = `<style>${text}</style>`;
      expect(document.styleSheets[0]?.cssRules.length, page).toBeGreaterThan(0);
    }
  });

  it('samples in JSON, YAML and TOML parse', () => {
    for (const { text } of inLanguages('json', 'jsonc')) JSON.parse(text);
    for (const { text } of inLanguages('yaml')) parseYaml(text);
    for (const { text } of inLanguages('toml')) parseToml(text);
    expect(inLanguages('json').length).toBeGreaterThan(40);
  });

  it('samples for a shell are valid commands', () => {
    expect(inLanguages('sh').length).toBeGreaterThan(25);
    expect(complaints(inLanguages('sh'), 'bash', '-n')).toEqual([]);
  });

  it.runIf(isThere('python3', '--version'))('samples in Python parse, if it is installed', () => {
    const check = 'import ast, sys; ast.parse(sys.stdin.read())';
    expect(complaints(inLanguages('python'), 'python3', '-c', check)).toEqual([]);
  });

  it.runIf(isThere('php', '--version'))('samples in PHP parse, if it is installed', () => {
    expect(complaints(inLanguages('php'), 'php', '-l')).toEqual([]);
  });

  it.runIf(isThere('gofmt', '-h') || isThere('go', 'version'))(
    'samples in Go parse, if it is installed',
    () => {
      expect(complaints(inLanguages('go'), 'gofmt', '-e')).toEqual([]);
    },
  );

  it('long samples are in separate files', () => {
    const servers = ['node-http', 'express', 'fastify', 'hono', 'worker', 'deno', 'bun'];
    for (const file of [
      'examples/react/src/own-view.tsx',
      'examples/vue/src/own-view.vue',
      'examples/next/src/app/api/chat/[...path]/route.js',
      'examples/token-proxy/wrangler.jsonc',
      ...servers.map((name) => `examples/token-proxy/${name}.ts`),
    ])
      expect(SAMPLES.map(({ text }) => `${text}\n`)).toContain(readFileSync(join(ROOT, file), 'utf8'));
  });
});
