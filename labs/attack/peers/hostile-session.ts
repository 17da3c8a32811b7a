import { randomBytes } from 'node:crypto';
import { PATIENCE } from '../../../e2e/patience.ts';
import type { AttackContext } from '../attack.ts';
import { askForSession } from './ask-for-session.ts';
import { encodeEvent } from './frames.ts';
import { HostileSocket } from './hostile-socket.ts';
import { HostileWebSocket } from './hostile-web-socket.ts';

/** A session that an attacker was given as any visitor is. */
export interface HostileSession {
  readonly sessionId: string;
  readonly accessToken: string;
}

const HANDSHAKE_PATIENCE_MS = 10_000 * PATIENCE;
const TRIES = 3;

/** Starts a session as a visitor of the attackers' project. Rejects when the stack refuses even that. */
export async function startSession(context: AttackContext): Promise<HostileSession> {
  const { attackerToken } = context.stack;
  let last = '';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const address = context.nextAddress();
    const { token, session, sessionId, accessToken } = await askForSession(context, attackerToken, address);
    if (sessionId !== '') return { sessionId, accessToken };
    last = `${token.status}, ${session?.status} ${session?.body}`;
  }
  throw new Error(`The attackers were given no session: ${last}`);
}

/** The request of a handshake. */
export function handshakeRequest(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  host = '127.0.0.1',
): string {
  const fields = {
    Host: host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Path and parameters of a session's socket. */
export function socketPath({ sessionId, accessToken }: HostileSession, cursor?: string): string {
  const parameters = new URLSearchParams({ session_id: sessionId, access_token: accessToken });
  if (cursor !== undefined) parameters.set('cursor', cursor);
  return `/ws?${parameters}`;
}

/** A handshake: an open socket, or the status it was refused with (0: the connection ended). */
export type Joined =
  | { readonly status: 101; readonly socket: HostileWebSocket }
  | { readonly status: number; readonly socket: null };

/** Opens a session's socket. */
export async function join(
  context: AttackContext,
  session: HostileSession,
  options: { readonly cursor?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Joined> {
  const socket = await HostileSocket.open(context, 'platform');
  if (socket === null) return { status: 0, socket: null };
  await socket.write(handshakeRequest(socketPath(session, options.cursor), options.headers));
  await socket.wait((received) => received.includes('\r\n\r\n'), HANDSHAKE_PATIENCE_MS);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(socket.received)?.[1] ?? 0);
  if (status === 101) return { status, socket: new HostileWebSocket(socket) };
  socket.destroy();
  return { status, socket: null };
}

/** Opens a session's socket and starts its conversation. Null when the stack refuses the handshake. */
export async function converse(
  context: AttackContext,
  session: HostileSession,
): Promise<HostileWebSocket | null> {
  const { socket } = await join(context, session);
  if (socket === null) return null;
  await socket.write(encodeEvent('REQUEST_AGENT_JOIN'));
  await socket.waitForEvent('AGENT_JOINED', HANDSHAKE_PATIENCE_MS);
  return socket;
}
