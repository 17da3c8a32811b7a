import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepSecrets } from './demo-config.ts';
import { readKeys, writeKeys } from './demo-keys.ts';
import { type DemoRun, writeRun } from './demo-run.ts';

const RUN: DemoRun = {
  urls: {
    demo: 'http://localhost:7400/',
    bench: 'http://localhost:7400/bench',
    proxy: 'http://localhost:7401/',
    platform: 'http://localhost:7402/',
    console: 'http://localhost:7402/console/',
  },
  configFile: null,
};
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'natter-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a folder without a run has no keys', () => {
  expect(readKeys(folder)).toBeNull();
  keepSecrets(folder);
  expect(readKeys(folder)).toBeNull();
});

it('prints the passwords of the console and a key for every REST family, 80 columns wide', () => {
  const { deskPassword, restKeys } = keepSecrets(folder);
  writeRun(folder, RUN);
  const keys = readKeys(folder);
  if (keys === null) throw new Error('There are no keys.');
  const text = writeKeys(keys);
  for (const secret of [deskPassword, ...Object.values(restKeys), 'rita@example.com', RUN.urls.console])
    expect(text).toContain(secret);
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
});

it('names the file with the keys after a start with a custom configuration', () => {
  keepSecrets(folder);
  writeRun(folder, { ...RUN, configFile: '/of/mine.json' });
  const keys = readKeys(folder);
  if (keys === null) throw new Error('There are no keys.');
  expect([keys.people, keys.keys]).toEqual([[], []]);
  expect(writeKeys(keys)).toContain('/of/mine.json');
});
