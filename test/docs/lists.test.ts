import { expect, it } from 'vitest';
import { buildOpenApi } from '../../server-platform/src/openapi/build-openapi.ts';
import { EXTENSIONS } from '../../src/protocol/index.ts';
import { DOCUMENTS, read } from './repository.ts';

it('section 17.1 of messaging.md names every extension that the platform has', () => {
  const [, named = ''] = /This platform names (.*?);/.exec(read('docs/protocol/messaging.md')) ?? [];
  expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...EXTENSIONS].toSorted());
});

it('the documents name every option of npm start', () => {
  const [, usage = ''] = /USAGE = `([^`]*)`/.exec(read('demo/start.ts')) ?? [];
  const options = [...usage.matchAll(/--([a-z-]+)/g)].map(([option]) => option);
  expect(options).toContain('--desk');
  const named = new Set(
    DOCUMENTS.flatMap((path) => read(path).split('\n'))
      .filter((line) => line.includes('npm start'))
      .flatMap((line) => line.match(/--[a-z-]+/g) ?? []),
  );
  // What the script itself gives.
  const [given = ''] = /"start": ".*"/.exec(read('package.json')) ?? [];
  expect(options.filter((option) => !given.includes(option) && !named.has(option))).toEqual([]);
});

it('rest.md names every parameter of a query that the platform reads', () => {
  const page = read('docs/protocol/rest.md');
  const { paths } = buildOpenApi({
    version: '0.0.0',
    servers: { runtime: 'https://api.example.com', monitoring: 'https://api.example.com' },
    vendorNames: false,
  });
  const names = new Set(JSON.stringify(paths).match(/(?<="name":")[\w.-]+(?=","in":"query")/g));
  expect(names.size).toBeGreaterThan(20);
  expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
