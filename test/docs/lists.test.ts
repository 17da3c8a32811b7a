import { expect, it } from 'vitest';
import { buildOpenApi } from '../../server-platform/src/api/openapi/build-openapi.ts';
import { EXTENSIONS } from '../../src/protocol/index.ts';
import { DOCUMENTS, read } from './repository.ts';

it('section 17.1 of messaging.md names every extension of the platform', () => {
  const [, named = ''] = /This platform names (.*?);/.exec(read('docs/protocol/messaging.md')) ?? [];
  expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...EXTENSIONS].toSorted());
});

it('the documents name every option of npm start and npm run dev', () => {
  const [, usage = ''] = /USAGE = `([^`]*)`/.exec(read('demo/start.ts')) ?? [];
  const options = [...usage.matchAll(/--([a-z-]+)/g)].map(([option]) => option);
  expect(options).toContain('--scripted');
  const named = new Set(
    DOCUMENTS.flatMap((path) => read(path).split('\n'))
      .filter((line) => /npm start|npm run dev/.test(line))
      .flatMap((line) => line.match(/--[a-z-]+/g) ?? []),
  );
  // The options that the scripts themselves pass.
  const given = (read('package.json').match(/"(?:start|dev)": ".*"/g) ?? []).join();
  expect(options.filter((option) => !given.includes(option) && !named.has(option))).toEqual([]);
});

it('rest.md names every query parameter that the platform reads, and the parameters of lists of conversations in a table', () => {
  const page = read('docs/protocol/rest.md');
  const tables = page.match(/^\| Parameter \|.*\n(?:\|.*\n)+/gm) ?? [];
  const rows = tables.flatMap((table) => table.match(/^\| `[^|]*/gm) ?? []);
  const listed = new Set(rows.flatMap((cell) => cell.match(/(?<=`)[\w.-]+(?=`)/g) ?? []));
  const { paths } = buildOpenApi({
    version: '0.0.0',
    servers: { runtime: 'https://api.example.com', monitoring: 'https://api.example.com' },
    vendorNames: false,
  });
  const missing = Object.entries(paths).flatMap(([path, item]) => {
    const names = JSON.stringify(item).match(/(?<="name":")[\w.-]+(?=","in":"query")/g) ?? [];
    const isNamed = (name: string): boolean =>
      path.endsWith('/conversations') ? listed.has(name) : page.includes(`\`${name}\``);
    return names.filter((name) => !isNamed(name)).map((name) => `${path}: ${name}`);
  });
  expect(listed.has('turn_type')).toBe(true);
  expect(missing).toEqual([]);
});
