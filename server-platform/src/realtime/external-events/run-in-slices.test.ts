import { describe, expect, it } from 'vitest';
import { readJson } from './event-body.ts';
import { findElementText } from './find-element-text.ts';
import { findEventId } from './find-event-id.ts';
import { readForm } from './read-form.ts';
import { runInSlices, type Slices } from './run-in-slices.ts';

const SIZE = 900_000;
const formOf = (bytes: string) => ({ bytes, decoder: new TextDecoder('utf-8', { fatal: true }) });
const fill = (part: string): string => part.repeat(Math.floor(SIZE / part.length));

function findInText(text: string): Slices<string | null> {
  const request = {
    headers: new Headers(),
    query: new URLSearchParams(),
    body: { kind: 'text', data: text },
  } as const;
  const query = { event_id_path: 'id', account_id: 'a', project_id: 'p' };
  return findEventId(request, { event_id_location: 'payload', ...query });
}

describe('long work in slices', () => {
  it('runs one slice of all pending work per event loop turn, in order of arrival', async () => {
    let turn = 0;
    const countTurns = (): void => {
      turn += 1;
      if (done < 3) setImmediate(countTurns);
    };
    let done = 0;
    const turnsOf: number[][] = [[], [], []];
    function* work(own: number[]): Slices<number> {
      for (let slice = 0; slice < 5; slice += 1) {
        own.push(turn);
        yield;
      }
      done += 1;
      return own.length;
    }
    countTurns();
    expect(await Promise.all(turnsOf.map((own) => runInSlices(work(own))))).toEqual([5, 5, 5]);
    // The first slice of each runs immediately.
    const later = turnsOf.flatMap((own) => own.slice(1)).toSorted((a, b) => a - b);
    expect(new Set(later).size).toBe(12);
    expect(turnsOf.every((own) => own.slice(1).every((at, index) => at > (own[index] ?? 0)))).toBe(true);
  });

  it('continues other work when one fails', async () => {
    function* fail(): Slices<never> {
      yield;
      throw new Error('no good');
    }
    function* succeed(): Slices<string> {
      yield;
      yield;
      return 'read';
    }
    const results = await Promise.allSettled([runInSlices(fail()), runInSlices(succeed())]);
    expect(results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'read' }]);
  });

  it.each([
    ['a form of many fields', () => readForm(formOf(fill('a=1&')))],
    ['a form of fields without a value', () => readForm(formOf(fill('ab&')))],
    ['XML of deep elements', () => findElementText(fill('<a>'), ['id'])],
    ['XML of one tag with many attributes', () => findElementText(`<r ${fill('a="1" ')}/>`, ['id'])],
    ['XML of one attribute with many references', () => findElementText(`<r a="${fill('&lt;')}"/>`, ['id'])],
    ['XML of many references', () => findElementText(`<r>${fill('&amp;')}</r>`, ['id'])],
    ['XML of many comments', () => findElementText(`<r>${fill('<!---->')}</r>`, ['id'])],
    ['a text of many pairs', () => findInText(fill('a=1\n'))],
  ])('gives way again and again while it reads %s', (_, begin) => {
    let slices = 0;
    for (const work = begin(); work.next().done !== true; ) slices += 1;
    expect(slices).toBeGreaterThan(100);
  });

  it("yields after parsing JSON and before the caller's work with it", () => {
    expect([...readJson(`[${fill('[],')}[]]`)]).toHaveLength(2);
  });
});
