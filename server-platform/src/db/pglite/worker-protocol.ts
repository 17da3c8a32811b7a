import type { DatabaseErrorCode } from '../database-error.ts';
import type { QueryOptions, SqlValue } from '../sql.ts';

/** What the worker is started for. */
export type WorkerTask =
  /** Creates the database in `folder`, flushes every file of it, and ends. */
  | { readonly task: 'create'; readonly folder: string }
  /** Opens the database in `folder` (null: in memory) and serves statements until `close`. */
  | { readonly task: 'serve'; readonly folder: string | null; readonly durable: boolean };

/** What the main thread asks of a serving worker. Answered in order. */
export type WorkerRequest =
  | {
      readonly kind: 'query';
      readonly id: number;
      readonly text: string;
      readonly params: readonly SqlValue[];
      readonly options: QueryOptions;
    }
  | { readonly kind: 'close'; readonly id: number };

/** An error as it crosses the threads. */
export type WorkerFailure = {
  readonly code: DatabaseErrorCode;
  readonly message: string;
  readonly sqlState: string | null;
  readonly constraint: string | null;
};

/** What the worker says. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'rows'; readonly id: number; readonly rows: readonly object[] }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: WorkerFailure }
  /** The worker cannot continue. `isLasting`: neither could another one on the same folder. */
  | { readonly kind: 'broken'; readonly failure: WorkerFailure; readonly isLasting: boolean };
