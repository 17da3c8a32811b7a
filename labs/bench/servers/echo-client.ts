import { once } from 'node:events';
import { WebSocket } from 'ws';
import { CONNECTOR_TOKEN } from './bench-server.ts';

// As long as a visitor's question.
export const TEXT = 'When does the last ferry of the evening leave for Farholm, and may I bring my dog?';
// The engine compiles a server's hot code a good second after the load began, on threads that take the processor from it.
const WARM_UP_SECONDS = 2;

/** One socket, the messages it sends, and how it recognises their answers, which come in the same order. */
export type Sender = {
  readonly ws: WebSocket;
  readonly frame: () => string;
  readonly isEcho: (text: string) => boolean;
};

/** The measurement. */
export type Echoes = { readonly perSecond: number; readonly medianMs: number; readonly p99Ms: number };

/**
 * Echoes per second and how long each took, every socket keeping the same number of frames unanswered: as fast as the server
 * answers, or with a pause after each answer, so that no process waits for a core.
 */
export async function measureEchoes(
  senders: readonly Sender[],
  {
    seconds,
    unanswered,
    pauseMs,
  }: { readonly seconds: number; readonly unanswered: number; readonly pauseMs?: number },
): Promise<Echoes> {
  let times: number[] = [];
  let isRunning = true;
  for (const { ws, frame, isEcho } of senders) {
    const sentAt: number[] = [];
    const send = (): void => {
      sentAt.push(performance.now());
      ws.send(frame());
    };
    ws.removeAllListeners('message');
    ws.on('message', (data) => {
      const text = String(data);
      // The heartbeat of Engine.IO.
      if (text === '2') ws.send('3');
      if (!isEcho(text)) return;
      times.push(performance.now() - (sentAt.shift() ?? Number.NaN));
      if (!isRunning) return;
      if (pauseMs === undefined) send();
      else setTimeout(() => ws.readyState === WebSocket.OPEN && send(), pauseMs);
    });
    for (let index = 0; index < unanswered; index += 1) send();
  }
  await passed(WARM_UP_SECONDS);
  times = [];
  const startedAt = performance.now();
  await passed(seconds);
  const sorted = times.toSorted((a, b) => a - b);
  const perSecond = sorted.length / ((performance.now() - startedAt) / 1_000);
  isRunning = false;
  await passed(WARM_UP_SECONDS);
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { perSecond, medianMs: at(0.5), p99Ms: at(0.99) };
}

/** Frames of one session's user messages. */
export function createMessage(): () => string {
  let count = 0;
  return () => {
    count += 1;
    const id = `draft-${process.pid}-${count}-${Math.random()}`;
    return JSON.stringify({
      type: 'EVENT_TYPE_USER_MESSAGE',
      payload: { text: TEXT },
      metadata: { custom: { client_event_id: id, local_id: id } },
    });
  };
}

/** A session whose agent has joined, over its socket. */
export async function openSession(port: number): Promise<WebSocket> {
  const url = `http://127.0.0.1:${port}/api/v1`;
  const post = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> =>
    (await fetch(`${url}${path}`, { method: 'POST', headers, body: '{"streaming_enabled":true}' })).json();
  const minted = await post('/access-token', { 'X-Token': CONNECTOR_TOKEN, 'X-Host': 'localhost' });
  const token = String(minted['access_token']);
  const started = await post('/sessions', { Authorization: `Bearer ${token}` });
  const ws = await openSocket(
    `ws://127.0.0.1:${port}/ws?session_id=${String(started['session_id'])}&access_token=${token}`,
  );
  const hasJoined = new Promise<void>((resolve) => {
    ws.on('message', (data) => {
      if (String(data).includes('EVENT_TYPE_AGENT_THINKING')) resolve();
    });
  });
  ws.send('{"type":"EVENT_TYPE_REQUEST_AGENT_JOIN","payload":{}}');
  await hasJoined;
  return ws;
}

/** A socket of the peer, past its handshake. */
export async function openSocketIo(port: number): Promise<WebSocket> {
  const ws = await openSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`);
  const hasConnected = new Promise<void>((resolve) => {
    ws.on('message', (data) => {
      if (String(data).startsWith('40')) resolve();
    });
  });
  ws.send('40');
  await hasConnected;
  return ws;
}

/** The same messages in the peer's format. */
export function createSocketIoMessage(): () => string {
  let count = 0;
  return () => {
    count += 1;
    const id = `draft-${process.pid}-${count}-${Math.random()}`;
    return `42${count}${JSON.stringify(['chat message', TEXT, id])}`;
  };
}

/** Connects. */
export async function openSocket(url: string): Promise<WebSocket> {
  const ws = new WebSocket(url, { perMessageDeflate: false });
  await once(ws, 'open');
  return ws;
}

function passed(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
