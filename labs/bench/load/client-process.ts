import { once } from 'node:events';
import { WebSocket } from 'ws';
import { CONNECTOR_TOKEN } from '../servers/bench-server.ts';
import { createMessage } from '../servers/echo-client.ts';

// A process full of clients that speak the protocol: access token, session, socket, join, messages, heartbeats.

/** Commands to the process. */
export type Task =
  | {
      readonly do: 'open';
      readonly ports: readonly number[];
      readonly count: number;
      readonly atOnce: number;
    }
  | {
      readonly do: 'come back';
      readonly ports: readonly number[];
      readonly count: number;
      readonly atOnce: number;
    }
  | { readonly do: 'connect'; readonly port: number; readonly count: number; readonly atOnce: number }
  | { readonly do: 'echo'; readonly sockets: number; readonly seconds: number }
  | { readonly do: 'pace'; readonly perSecond: number; readonly seconds: number }
  | {
      readonly do: 'listen';
      readonly ports: readonly number[];
      readonly sessions: number;
      readonly each: number;
    }
  | { readonly do: 'stream'; readonly sessions: number; readonly chunks: number; readonly seconds: number }
  | { readonly do: 'end' };

/** Results of a client process. */
export type Measured = {
  /** How many of its tasks succeeded, and how many failed. */
  readonly done: number;
  readonly failed: number;
  /** All that were done, those before the measured time and after it included. */
  readonly all: number;
  readonly seconds: number;
  /** How long each took, where that was measured. */
  readonly times: readonly number[];
  /** Why the first one failed. */
  readonly reason: string;
};

type Client = {
  ws: WebSocket;
  readonly sessionId: string;
  readonly token: string;
  readonly createFrame: () => string;
  lastText: string;
  onText: (text: string) => void;
};

const IS_ECHO = '"EVENT_TYPE_USER_MESSAGE"';
const IS_CHUNK = '"EVENT_TYPE_AGENT_MESSAGE_CHUNK"';
// The engine compiles hot code in the first seconds.
const WARM_UP_SECONDS = 2;
const warmUp = (seconds: number): Promise<void> => passed(Math.min(WARM_UP_SECONDS, seconds));
const HEARTBEAT_MS = 20_000;
// Several addresses, because an address has some 28,000 ports for connections to one server.
const ADDRESSES = 8;
const address = (index: number): string => `127.0.0.${2 + (index % ADDRESSES)}`;

const clients: Client[] = [];
const listeners: Client[] = [];

process.on('message', (task: Task) => {
  if (task.do === 'end') {
    process.disconnect();
    process.exit();
  }
  run(task).then(
    (measured) => process.send?.(measured),
    (error: unknown) => process.send?.({ ...nothing(), failed: 1, reason: String(error) }),
  );
});
setInterval(() => {
  for (const { ws } of clients)
    if (ws.readyState === ws.OPEN) ws.send('{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}');
}, HEARTBEAT_MS).unref();

async function run(task: Exclude<Task, { readonly do: 'end' }>): Promise<Measured> {
  switch (task.do) {
    case 'open':
      return await openAll(task.ports, task.count, task.atOnce);
    case 'connect':
      return await measureEach(task.count, task.atOnce, (index) => openPlain(task.port, index));
    case 'come back':
      return await comeBack(task.ports, task.count, task.atOnce);
    case 'echo':
      return await echo(task.sockets, task.seconds);
    case 'pace':
      return await pace(task.perSecond, task.seconds);
    case 'listen':
      return await listen(task.ports, task.sessions, task.each);
    case 'stream':
      return await stream(task.sessions, task.chunks, task.seconds);
  }
}

function nothing(): Measured {
  return { done: 0, failed: 0, all: 0, seconds: 0, times: [], reason: '' };
}

/** Does something for each number up to `count`, at most `atOnce` of them at a time, and measures each. */
async function measureEach(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<void>,
): Promise<Measured> {
  const times: number[] = [];
  let [next, failed, reason] = [0, 0, ''];
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      const beganAt = performance.now();
      try {
        await work(index);
        times.push(performance.now() - beganAt);
      } catch (error) {
        failed += 1;
        reason ||= String(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return {
    done: times.length,
    failed,
    all: count,
    seconds: (performance.now() - startedAt) / 1_000,
    times,
    reason,
  };
}

function openAll(ports: readonly number[], count: number, atOnce: number): Promise<Measured> {
  return measureEach(count, atOnce, async () => {
    const index = clients.length;
    const port = ports[index % ports.length] ?? 0;
    clients.push(await openChat(port, index));
  });
}

async function openChat(port: number, index: number): Promise<Client> {
  const post = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: '{"streaming_enabled":true}',
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return await answer.json();
  };
  const minted = await post('/access-token', { 'X-Token': CONNECTOR_TOKEN, 'X-Host': 'localhost' });
  const token = String(minted['access_token']);
  const started = await post('/sessions', { Authorization: `Bearer ${token}` });
  const client = await connect(port, index, { sessionId: String(started['session_id']), token, cursor: 0 });
  await answered(
    client,
    'EVENT_TYPE_AGENT_THINKING',
    '{"type":"EVENT_TYPE_REQUEST_AGENT_JOIN","payload":{}}',
  );
  return client;
}

/** A socket without a chat, which stays open. */
async function openPlain(port: number, index: number): Promise<void> {
  const ws = new WebSocket(`ws://127.0.0.1:${port}`, {
    perMessageDeflate: false,
    localAddress: address(index),
  });
  await once(ws, 'open');
  ws.on('error', () => {});
}

type Place = { readonly sessionId: string; readonly token: string; readonly cursor: number };

async function connect(port: number, index: number, { sessionId, token, cursor }: Place): Promise<Client> {
  const ws = new WebSocket(
    `ws://127.0.0.1:${port}/ws?session_id=${sessionId}&access_token=${token}&cursor=${cursor}`,
    { perMessageDeflate: false, localAddress: address(index), handshakeTimeout: 30_000 },
  );
  const client: Client = {
    ws,
    sessionId,
    token,
    createFrame: createMessage(),
    lastText: '',
    onText: () => {},
  };
  ws.on('message', (data) => {
    client.lastText = String(data);
    client.onText(client.lastText);
  });
  // The replay is the first that a socket brings.
  await once(ws, 'message');
  ws.on('error', () => {});
  return client;
}

/** Sends a frame and resolves when the expected type has come. */
function answered(client: Client, type: string, frame: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.ws.once('close', (code) => reject(new Error(`closed with ${code}`)));
    client.onText = (text) => {
      if (!text.includes(type)) return;
      client.ws.removeAllListeners('close');
      client.onText = () => {};
      resolve();
    };
    client.ws.send(frame);
  });
}

/** Sockets are dropped, and come back with their cursor, to any of the nodes as a load balancer would have it. */
async function comeBack(ports: readonly number[], count: number, atOnce: number): Promise<Measured> {
  const chosen = clients.slice(0, count);
  for (const { ws } of chosen) ws.terminate();
  return await measureEach(chosen.length, atOnce, async (index) => {
    const client = chosen[index];
    if (client === undefined) return;
    const cursor = Math.max(
      1,
      ...Array.from(client.lastText.matchAll(/"sequence":(\d+)/g), ([, digits]) => Number(digits)),
    );
    const port = ports[Math.floor(Math.random() * ports.length)] ?? 0;
    const back = await connect(port, index, { ...client, cursor });
    client.ws = back.ws;
    back.onText = (text) => client.onText(text);
  });
}

/** Every socket has one message unanswered at any time. */
async function echo(sockets: number, seconds: number): Promise<Measured> {
  let times: number[] = [];
  let all = 0;
  let isRunning = true;
  for (const client of clients.slice(0, sockets)) {
    let sentAt = performance.now();
    const send = (): void => {
      sentAt = performance.now();
      client.ws.send(client.createFrame());
    };
    client.onText = (text) => {
      if (!text.includes(IS_ECHO)) return;
      times.push(performance.now() - sentAt);
      all += 1;
      if (isRunning) send();
    };
    send();
  }
  await warmUp(seconds);
  times = [];
  const startedAt = performance.now();
  await passed(seconds);
  const measured = {
    ...nothing(),
    done: times.length,
    seconds: (performance.now() - startedAt) / 1_000,
    times,
  };
  isRunning = false;
  await warmUp(seconds);
  return { ...measured, all };
}

/**
 * Messages at a fixed rate, whether or not earlier ones are answered, from all sockets in turn. A message counts from when
 * it was due, so that a stall is counted for all that were due in it.
 */
async function pace(perSecond: number, seconds: number): Promise<Measured> {
  const times: number[] = [];
  const dueAt = clients.map((): number[] => []);
  clients.forEach((client, index) => {
    client.onText = (text) => {
      if (text.includes(IS_ECHO)) times.push(performance.now() - (dueAt[index]?.shift() ?? Number.NaN));
    };
  });
  const startedAt = performance.now();
  const count = Math.floor(perSecond * seconds);
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - startedAt) / 1_000) * perSecond));
    for (; sent < due; sent += 1) {
      const index = sent % clients.length;
      dueAt[index]?.push(startedAt + (sent / perSecond) * 1_000);
      clients[index]?.ws.send(clients[index]?.createFrame() ?? '');
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  await warmUp(2 * seconds);
  const failed = count - times.length;
  return { ...nothing(), done: times.length, failed, all: count, seconds: tookSeconds, times };
}

/** More sockets for some of the sessions, as many tabs have. */
async function listen(ports: readonly number[], sessions: number, each: number): Promise<Measured> {
  return await measureEach(sessions * each, 32, async (index) => {
    const client = clients[index % sessions];
    const port = ports[index % ports.length] ?? 0;
    if (client !== undefined) listeners.push(await connect(port, index, { ...client, cursor: 1_000_000 }));
  });
}

/** The first sessions ask for one long answer after the other; counts the chunks that arrive at all their sockets. */
async function stream(sessions: number, chunks: number, seconds: number): Promise<Measured> {
  let [received, all, isRunning] = [0, 0, true];
  for (const listener of listeners) {
    listener.onText = (text) => {
      if (text.includes(IS_CHUNK)) received += 1;
    };
  }
  for (const client of clients.slice(0, sessions)) {
    const ask = (): void =>
      client.ws.send(client.createFrame().replace(/"text":"[^"]*"/, `"text":"stream ${chunks}"`));
    client.onText = (text) => {
      if (!text.includes(IS_CHUNK)) return;
      received += 1;
      all += 1;
      if (isRunning && text.includes('"is_complete":true')) ask();
    };
    ask();
  }
  await warmUp(seconds);
  received = 0;
  const startedAt = performance.now();
  await passed(seconds);
  const measured = { ...nothing(), done: received, seconds: (performance.now() - startedAt) / 1_000 };
  isRunning = false;
  // The last answers complete.
  await warmUp(2 * seconds);
  return { ...measured, all };
}

function passed(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
