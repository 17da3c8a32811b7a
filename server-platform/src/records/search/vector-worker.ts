import { parentPort } from 'node:worker_threads';
import { VectorTable } from './vector-table.ts';
import type { VectorAnswers, VectorQuestion, VectorQuestions } from './vector-thread.ts';

// Holds vectors and compares them. A hundred thousand comparisons take tens of milliseconds, in which the platform's own
// thread serves its sockets.

const tables = new Map<string, VectorTable>();

const ANSWERS: {
  readonly [Kind in keyof VectorQuestions]: (question: VectorQuestions[Kind]) => VectorAnswers[Kind];
} = {
  put({ table: name, size, page }) {
    const table = tables.get(name) ?? new VectorTable(size);
    tables.set(name, table);
    table.put(page);
    return table.count;
  },
  remove({ table: name, ids }) {
    const table = tables.get(name);
    table?.remove(ids);
    return table?.count ?? 0;
  },
  drop({ table: name }) {
    tables.delete(name);
    return 0;
  },
  ids: ({ table, row, limit }) => tables.get(table)?.idsFrom(row, limit) ?? [],
  rank({ table, query, only }) {
    const ids: readonly string[] | null = only === null ? null : JSON.parse(only);
    return tables.get(table)?.rank(query, ids === null ? null : new Set(ids)) ?? [];
  },
};

const port = parentPort;
if (port === null) throw new Error('vector-worker.ts runs in a worker thread; use VectorThread');
port.on('message', ({ id, kind, question }: VectorQuestion<keyof VectorQuestions>) => {
  // `kind` says which of them it is; the compiler does not follow that through a table of functions.
  const answer = ANSWERS[kind] as (asked: typeof question) => unknown;
  port.postMessage({ id, value: answer(question) });
});
