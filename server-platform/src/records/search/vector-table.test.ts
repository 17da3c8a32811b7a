import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { VectorTable } from './vector-table.ts';

type Row = { readonly id: string; readonly startedAtMs: number; readonly vector: readonly [number, number] };

function put(table: VectorTable, rows: readonly Row[]): void {
  const vectors = new Float32Array(new SharedArrayBuffer(rows.length * 8));
  vectors.set(rows.flatMap(({ vector }) => vector));
  table.put({
    ids: rows.map(({ id }) => id),
    startedAtMs: rows.map(({ startedAtMs }) => startedAtMs),
    vectors,
  });
}

const ALWAYS = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY };

it('finds what comparing one by one finds, whatever was put, replaced and removed before', () => {
  const id = fc.integer({ min: 0, max: 9 }).map((n) => `CONV-${n}`);
  const startedAtMs = fc.integer({ min: 0, max: 5 });
  // Few different values, so that many are equally similar.
  const value = fc.integer({ min: -2, max: 2 });
  const steps = fc.array(
    fc.oneof(
      fc.record({
        put: fc.uniqueArray(fc.record({ id, startedAtMs, vector: fc.tuple(value, value) }), {
          selector: (row) => row.id,
          maxLength: 6,
        }),
      }),
      fc.record({ remove: fc.uniqueArray(id, { maxLength: 4 }) }),
    ),
    { maxLength: 8 },
  );
  const asked = fc.record({
    query: fc.tuple(value, value),
    fromMs: startedAtMs,
    untilMs: startedAtMs,
    limit: fc.integer({ min: 1, max: 5 }),
    only: fc.option(fc.uniqueArray(id)),
  });
  fc.assert(
    fc.property(steps, asked, (done, { query, fromMs, untilMs, limit, only }) => {
      const table = new VectorTable(2);
      const rows = new Map<string, Row>();
      for (const step of done) {
        if ('put' in step) {
          put(table, step.put);
          // When a conversation began does not change.
          for (const row of step.put)
            rows.set(row.id, { ...row, startedAtMs: rows.get(row.id)?.startedAtMs ?? row.startedAtMs });
        } else {
          table.remove(step.remove);
          for (const each of step.remove) rows.delete(each);
        }
      }
      expect(table.count).toBe(rows.size);
      expect(table.idsFrom(0, 100).toSorted()).toEqual([...rows.keys()].toSorted());
      const expected = [...rows.values()]
        .filter((row) => row.startedAtMs >= fromMs && row.startedAtMs < untilMs)
        .filter((row) => only === null || only.includes(row.id))
        .map((row) => ({
          id: row.id,
          startedAtMs: row.startedAtMs,
          similarity: query[0] * row.vector[0] + query[1] * row.vector[1],
        }))
        .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
        .slice(0, limit);
      const wanted = { vector: Float32Array.from(query), fromMs, untilMs, limit };
      const found = table.rank(wanted, only === null ? null : new Set(only));
      // Adding 0 makes no difference between 0 and -0.
      expect(found.map((row) => ({ ...row, similarity: row.similarity + 0 }))).toEqual(
        expected.map((row) => ({ ...row, similarity: row.similarity + 0 })),
      );
    }),
  );
});

it('holds more than one block of them', () => {
  const table = new VectorTable(2);
  const rows = Array.from({ length: 10_000 }, (_, n): Row => {
    const angle = (n / 10_000) * 2 * Math.PI;
    return { id: `CONV-${n}`, startedAtMs: n, vector: [Math.cos(angle), Math.sin(angle)] };
  });
  put(table, rows);
  const best = table.rank({ vector: Float32Array.from([-1, 0]), limit: 1, ...ALWAYS }, null);
  expect(best.map(({ id }) => id)).toEqual(['CONV-5000']);
  table.remove(['CONV-5000', 'CONV-0']);
  const next = table.rank({ vector: Float32Array.from([-1, 0]), limit: 2, ...ALWAYS }, null);
  expect(next.map(({ id }) => id).toSorted()).toEqual(['CONV-4999', 'CONV-5001']);
});
