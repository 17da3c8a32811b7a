import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the sizes in the README', () => {
  it('are those of the measurements, within the limits that the check enforces', () => {
    const [, loader, chat] = /\*\*Small\.\*\* ([\d.]+) kB .*?, ([\d.]+) kB/.exec(read('README.md')) ?? [];
    const limits = [...read('bench/size.ts').matchAll(/': ([\d.]+) \* BYTES_PER_KB/g)].map((match) =>
      Number(match[1]),
    );
    expect(limits).toHaveLength(3);
    expect(Number(loader)).toBeLessThanOrEqual(limits[0] ?? 0);
    expect(Number(chat)).toBeLessThanOrEqual(limits[1] ?? 0);
    expect(read('docs/measurements.md')).toContain(`${chat} kB`);
  });
});
