import { expect, it } from 'vitest';
import { read } from './repository.ts';

it('every step of the path of a message names a file and a function in it', () => {
  const rows = read('docs/architecture/message-path.md').matchAll(/^\| \d+ \| (same|`\S+`) \| `(\S+)` \|/gm);
  let file = '';
  const steps = [...rows].map(([, cell = '', name = '']) => {
    if (cell !== 'same') file = cell.replaceAll('`', '');
    return { file, name };
  });
  expect(steps.length).toBeGreaterThan(30);
  const isThere = ({ file, name }: { file: string; name: string }): boolean => {
    const folder = /^(?:client|protocol|widget)\//.test(file) ? 'src' : 'server-platform/src';
    return new RegExp(`(?<![\\w#])${name}\\b`).test(read(`${folder}/${file}`));
  };
  expect(steps.filter((step) => !isThere(step))).toEqual([]);
});
