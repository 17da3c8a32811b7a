import { expect, it } from 'vitest';
import { EXTENSIONS } from '../../src/protocol/index.ts';
import { DOCUMENTS, read, readCode } from './repository.ts';

it('section 17.1 of messaging.md names every extension that the platform has', () => {
  const [, named = ''] = /This platform names (.*?);/.exec(read('docs/protocol/messaging.md')) ?? [];
  expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...EXTENSIONS].toSorted());
});

it('the documents name every option of npm start', () => {
  const [, usage = ''] = /USAGE = `([^`]*)`/.exec(read('demo/start.ts')) ?? [];
  const options = [...usage.matchAll(/--([a-z-]+)/g)].map(([option]) => option);
  expect(options).toContain('--desk');
  const named = new Set(
    DOCUMENTS.flatMap(readCode)
      .filter(({ text }) => text.includes('npm start'))
      .flatMap(({ text }) => text.match(/--[a-z-]+/g) ?? []),
  );
  expect(options.filter((option) => option !== '--help' && !named.has(option))).toEqual([]);
});
