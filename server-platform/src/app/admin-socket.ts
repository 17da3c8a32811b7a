import { createHash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import * as v from 'valibot';

/** An operator's command as typed. */
export interface AdminRequest {
  /** Noun and verb, such as `key add`. */
  readonly command: string;
  readonly words: readonly string[];
  /** Options by name, as the command line reads them. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Result of a command: the lines to print, or an error text and the exit code. */
export type AdminAnswer =
  | { readonly status: 'done'; readonly lines: readonly string[] }
  | { readonly status: 'refused'; readonly message: string; readonly exitCode: number };

/** A socket that accepts commands for the database that this process has open. */
export interface AdminSocket {
  close(): Promise<void>;
}

const requestSchema: v.GenericSchema<unknown, AdminRequest> = v.object({
  command: v.string(),
  words: v.array(v.string()),
  values: v.record(v.string(), v.unknown()),
});

const MAX_REQUEST_CHARACTERS = 65_536;
const REQUEST_MS = 10_000;
// Limit for a peer that does not read its response.
const ANSWER_MS = 10_000;
// The operating systems' limit for a socket path, minus its terminator.
const MAX_ADDRESS_BYTES = 103;

/**
 * Returns the path of a data folder's socket, inside the folder, which only its owner can enter. Null if the path
 * exceeds the limit.
 */
function addressOf(dataDir: string): string | null {
  const folder = resolve(dataDir);
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\natter-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  const path = join(folder, 'admin.sock');
  return Buffer.byteLength(path) > MAX_ADDRESS_BYTES ? null : path;
}

/**
 * Accepts commands for a data folder whose lock this process holds, one JSON object per line and connection. Resolves
 * with null if the folder's path is too long. `run` must not reject.
 */
export async function startAdminSocket(
  dataDir: string,
  run: (request: AdminRequest) => Promise<AdminAnswer>,
): Promise<AdminSocket | null> {
  const address = addressOf(dataDir);
  if (address === null) return null;
  // A crashed process leaves its socket file behind. This process holds the folder's lock, so no other one is
  // listening.
  if (process.platform !== 'win32') rmSync(address, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    void answer(socket, run);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  if (process.platform !== 'win32') chmodSync(address, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

async function answer(socket: Socket, run: (request: AdminRequest) => Promise<AdminAnswer>): Promise<void> {
  try {
    const line = await readLine(socket, MAX_REQUEST_CHARACTERS);
    const answer = await run(v.parse(requestSchema, JSON.parse(line)));
    // A peer that keeps sending or does not read would keep the connection open.
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.end(`${JSON.stringify(answer)}\n`, () => socket.destroy());
  } catch {
    // The peer is not our command line, or it has closed the connection.
    socket.destroy();
  }
}

/**
 * Sends a command to the process that has the data folder open. Resolves with null if no process answers there. Rejects
 * if the process ends before answering.
 */
export async function askAdminSocket(dataDir: string, request: AdminRequest): Promise<AdminAnswer | null> {
  const address = addressOf(dataDir);
  if (address === null) return null;
  const socket = connect(address);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
  } catch {
    return null;
  }
  socket.write(`${JSON.stringify(request)}\n`);
  try {
    return JSON.parse(await readLine(socket));
  } finally {
    socket.destroy();
  }
}

/** Reads the first line and nothing after it. Rejects when the peer disconnects before its end, and above the limit. */
function readLine(socket: Socket, limit = Number.POSITIVE_INFINITY): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer =
      limit === Number.POSITIVE_INFINITY
        ? null
        : setTimeout(() => reject(new Error('The request did not arrive in time.')), REQUEST_MS);
    const end = (): void => {
      if (timer !== null) clearTimeout(timer);
    };
    socket.setEncoding('utf8');
    const onData = (chunk: string): void => {
      // Searches only the new part, because searching all text again would take quadratic time.
      const length = chunk.indexOf('\n');
      text += length === -1 ? chunk : chunk.slice(0, length);
      if (length === -1 && text.length <= limit) return;
      end();
      socket.off('data', onData);
      socket.pause();
      if (text.length > limit) reject(new Error('The request is too long.'));
      else resolve(text);
    };
    socket.on('data', onData);
    // A close event follows an error.
    socket.on('error', () => {});
    socket.on('close', () => {
      end();
      reject(new Error('The platform stopped before it responded: run the command again.'));
    });
  });
}
