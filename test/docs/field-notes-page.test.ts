import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = new URL('../..', import.meta.url);
const rows = readFileSync(new URL('docs/field-notes.md', root), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!Fault|-)/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

it('docs/field-notes.md names the public thread of every fault, and existing tests', () => {
  expect(rows.length).toBeGreaterThan(50);
  for (const [fault, seen, here] of rows) {
    expect(seen, fault).toMatch(/\]\(https:\/\/github\.com\//);
    expect(here, fault).toBeTruthy();
    for (const [, path = ''] of (here ?? '').matchAll(/`([^`]+)`/g)) {
      expect(existsSync(fileURLToPath(new URL(path, root))), path).toBe(true);
    }
  }
});
