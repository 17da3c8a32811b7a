import { request as httpRequest } from 'node:http';
import { PATIENCE } from '../../../e2e/patience.ts';
import type { AttackContext, Target } from '../attack.ts';
import { HostileSocket } from './hostile-socket.ts';

/** The response to raw bytes. */
export interface RawAnswer {
  /** Status of every response, in order. */
  readonly statuses: readonly number[];
  /** Whether the stack ended the connection. */
  readonly isEnded: boolean;
  readonly text: string;
}

/** A request in proper form. */
export interface HostileRequest {
  readonly target: Target;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The client address. Default: one that no request has used yet. */
  readonly address?: string;
}

/** The response to such a request; status 0: the connection ended without one. */
export interface HostileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const STATUS_LINE = /HTTP\/1\.1 (\d{3})/g;
const ANSWER_PATIENCE_MS = 10_000 * PATIENCE;
// How long a second response may take where there must be none.
const LINGER_MS = 150;

/** The statuses of the responses that a connection received. */
export const readStatuses = (received: string): readonly number[] =>
  [...received.matchAll(STATUS_LINE)].map((match) => Number(match[1]));

/** Writes bytes on a new connection, waits for the first response and a moment longer, and ends the connection. */
export async function exchange(
  context: AttackContext,
  target: Target,
  bytes: string | Buffer,
  lingerMs: number = LINGER_MS,
): Promise<RawAnswer> {
  const socket = await HostileSocket.open(context, target);
  if (socket === null) return { statuses: [], isEnded: true, text: '' };
  const written = socket.write(bytes);
  await socket.wait((received) => readStatuses(received).length > 0, ANSWER_PATIENCE_MS);
  await socket.wait(() => false, lingerMs);
  const { isEnded, received } = socket;
  socket.destroy();
  await written;
  return { statuses: readStatuses(received), isEnded, text: received };
}

/** Sends a request and reads its answer. Never rejects. */
export function ask(context: AttackContext, request: HostileRequest): Promise<HostileAnswer> {
  const { platformPort, proxyPort } = context.stack;
  const none: HostileAnswer = { status: 0, headers: {}, body: '' };
  return new Promise((resolve) => {
    const call = httpRequest({
      host: '127.0.0.1',
      port: request.target === 'platform' ? platformPort : proxyPort,
      localAddress: request.address ?? context.nextAddress(),
      method: request.method ?? 'POST',
      path: request.path,
      headers: { ...request.headers },
      agent: false,
      timeout: ANSWER_PATIENCE_MS,
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve(none));
    call.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ ...none, status: response.statusCode ?? 0 });
    });
    call.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', () => resolve(none));
      response.on('end', () => {
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        );
        resolve({
          status: response.statusCode ?? 0,
          headers,
          body: Buffer.concat(parts).toString('utf8'),
        });
      });
    });
    call.end(request.body);
  });
}

/** The name under which a response is counted. */
export const outcomeOf = ({ status }: Pick<HostileAnswer, 'status'>): string =>
  status === 0 ? 'dropped' : `HTTP ${status}`;

const BYTE_EVERY_MS = 500;

/** Writes a text a byte at a time, more slowly than the stack may wait for, and counts what came of it. */
export async function writeSlowly(
  context: AttackContext,
  socket: HostileSocket,
  text: string,
): Promise<void> {
  for (const byte of text) {
    if (socket.isEnded || context.signal.aborted) break;
    await socket.write(byte);
    await Promise.race([context.pause(BYTE_EVERY_MS), socket.ended]);
  }
  const [status] = readStatuses(socket.received);
  if (!socket.isEnded) context.count('still open');
  else context.count(status === undefined ? 'dropped' : `HTTP ${status}`);
  socket.destroy();
}
