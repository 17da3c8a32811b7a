import type { DatabaseErrorCode } from '../database-error.ts';
import type { QueryOptions, SqlValue } from '../sql.ts';

/** The worker's task. */
export type WorkerTask =
  /** Creates the database in `folder`, flushes all its files, and exits. */
  | { readonly task: 'create'; readonly folder: string }
  /** Opens the database in `folder` (null: in memory) and serves statements until `close`. */
  | { readonly task: 'serve'; readonly folder: string | null; readonly durable: boolean };

/** A request from the main thread to a serving worker. Answered in order. */
export type WorkerRequest =
  | {
      readonly kind: 'query';
      readonly id: number;
      readonly text: string;
      readonly params: readonly SqlValue[];
      readonly options: QueryOptions;
    }
  | { readonly kind: 'close'; readonly id: number };

/** An error as passed between threads. */
export type WorkerFailure = {
  readonly code: DatabaseErrorCode;
  readonly message: string;
  readonly sqlState: string | null;
  readonly constraint: string | null;
};

/** A message from the worker. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'rows'; readonly id: number; readonly rows: readonly object[] }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: WorkerFailure }
  /** The worker cannot continue. `isLasting`: a new one on the same folder could not either. */
  | { readonly kind: 'broken'; readonly failure: WorkerFailure; readonly isLasting: boolean };
