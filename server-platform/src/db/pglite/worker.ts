import { setFlagsFromString } from 'node:v8';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { DatabaseError, isDatabaseError, toDatabaseError } from '../database-error.ts';
import { flushTree } from './flush-tree.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { createInFolder, type Engine, proveDurable, startEngine, startMemoryEngine } from './start-engine.ts';
import type { WorkerFailure, WorkerMessage, WorkerRequest, WorkerTask } from './worker-protocol.ts';

// The engine runs statements synchronously, so it needs a separate thread to keep sockets responsive.

// The optimising compiler needs 550 MB for the engine's largest functions. Without it, commits take as long, and a
// statement that reads a whole table up to three times as long.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');

async function create(folder: string): Promise<void> {
  await createInFolder(folder);
  flushTree(folder);
}

async function serve(port: MessagePort, folder: string | null, isDurable: boolean): Promise<void> {
  const engine = folder === null ? await startMemoryEngine() : await startEngine(folder, isDurable);
  if (isDurable) await proveDurable(engine);
  const prepared = new PreparedStatements(engine.db);
  let last: Promise<void> = Promise.resolve();
  port.on('message', (request: WorkerRequest) => {
    last = last.then(() => answer(port, engine, prepared, request));
  });
  say(port, { kind: 'ready' });
}

async function answer(
  port: MessagePort,
  { db, counter }: Engine,
  prepared: PreparedStatements,
  request: WorkerRequest,
): Promise<void> {
  const { id } = request;
  try {
    if (request.kind === 'close') {
      await db.close();
      say(port, { kind: 'rows', id, rows: [] });
      port.close();
      return;
    }
    const { text, params, options } = request;
    const rowMode = options.rows === 'arrays' ? 'array' : 'object';
    const rows = options.prepare
      ? await prepared.query(text, params, rowMode)
      : (await db.query<object>(text, [...params], { rowMode })).rows;
    // After a failed fsync the on-disk state is unknown. PostgreSQL panics; if it did not, abort here.
    if (counter.failure !== null) throw flushFailed();
    say(port, { kind: 'rows', id, rows });
  } catch (error) {
    // Another engine would read what the system still caches, and treat data as durable that is not on disk.
    const isLasting = counter.failure !== null;
    const failure = describe(isLasting ? flushFailed() : error);
    const isBroken = failure.sqlState === null || endsEngine(error);
    say(port, isBroken ? { kind: 'broken', failure, isLasting } : { kind: 'failed', id, failure });
    if (isBroken) process.exit(1);
  }
}

// An error without SQLSTATE comes from the engine itself. After one of these severities, a server's process would exit;
// the engine stays but never answers again. A full disk during log growth is such a case.
function endsEngine(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  return ['FATAL', 'PANIC'].includes(String(Reflect.get(error, 'severity')));
}

function flushFailed(): DatabaseError {
  return new DatabaseError(
    'unavailable',
    'The disk refused a flush. Check the disk, then start the platform again.',
  );
}

function describe(cause: unknown): WorkerFailure {
  const error = toDatabaseError(cause);
  if (!isDatabaseError(cause) && error.sqlState === null) {
    const message =
      'The embedded database stopped. Start the platform again; acknowledged data is on the disk.';
    return { code: 'unavailable', message, sqlState: null, constraint: null };
  }
  const { message, sqlState, constraint } = error;
  // When the engine ends, the statement may be retried, even if the engine's code says that it was rejected.
  const code = endsEngine(cause) ? 'unavailable' : error.code;
  return { code, message, sqlState, constraint };
}

function say(port: MessagePort, message: WorkerMessage): void {
  port.postMessage(message);
}

async function run(port: MessagePort, task: WorkerTask): Promise<void> {
  try {
    if (task.task === 'create') await create(task.folder);
    else await serve(port, task.folder, task.durable);
  } catch (error) {
    const { code, message, sqlState, constraint } = isDatabaseError(error)
      ? error
      : new DatabaseError(
          'unavailable',
          `The embedded database did not start: ${error instanceof Error ? error.message : 'unknown reason'}`,
        );
    say(port, { kind: 'broken', failure: { code, message, sqlState, constraint }, isLasting: false });
    process.exit(1);
  }
}

if (parentPort === null) throw new Error('worker.ts runs in a worker thread; use openPglite');
await run(parentPort, workerData);
