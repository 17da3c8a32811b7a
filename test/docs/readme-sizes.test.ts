import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

// `npm run size` compares the README with the actual downloads of a browser.
describe('the sizes in the README', () => {
  it('the sizes in the README equal docs/measurements.md, and are within the limits of npm run size', () => {
    const [, loader, chat, ahead] =
      /\*\*Small\.\*\* ([\d.]+) kB .*?, ([\d.]+) kB .*?, ([\d.]+) kB/.exec(read('README.md')) ?? [];
    const limits = [...read('labs/bench/size.ts').matchAll(/': ([\d.]+) \* BYTES_PER_KB/g)].map((match) =>
      Number(match[1]),
    );
    expect(limits).toHaveLength(4);
    expect(Number(loader)).toBeLessThanOrEqual(limits[0] ?? 0);
    expect(Number(chat)).toBeLessThanOrEqual(limits[1] ?? 0);
    expect(Number(ahead)).toBeLessThanOrEqual(limits[2] ?? 0);
    const measured = read('docs/measurements.md');
    for (const size of [loader, chat, ahead]) expect(measured).toContain(`${size} kB`);
  });
});
