import type { ClientEvent, KnownEventType, ServerEventType } from 'natter/protocol';
import { type ClientOptions, WebSocket } from 'ws';
import { untilHeard } from '../until-heard.ts';

/** A frame as it came over the wire. */
export interface Frame {
  readonly id: string;
  readonly sequence: number | null;
  readonly timestamp: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata?: { readonly custom: Readonly<Record<string, string>> };
}

type Unprefixed<Type extends string> = Type extends `EVENT_TYPE_${infer Name}` ? Name : never;

/** Name of an event without its prefix, also in the vocabulary of the vendor. */
export type EventName =
  | Unprefixed<KnownEventType | ServerEventType | ClientEvent['type']>
  | `POLY_${Unprefixed<Extract<ServerEventType, `EVENT_TYPE_AGENT_${string}`>>}`;

/** A client of the tests: a plain socket and everything it was sent. */
export interface TestSocket {
  readonly ws: WebSocket;
  /** Every frame so far. */
  readonly frames: readonly Frame[];
  /** Every event so far, batches unpacked. */
  readonly events: readonly Frame[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /**
   * The next event, from the first one not yet asked for, that fits. Rejects with the events that came when the socket
   * closes before or nothing comes for long.
   */
  next(fits: EventName | ((frame: Frame) => boolean)): Promise<Frame>;
  send(type: string, payload?: object, custom?: Readonly<Record<string, unknown>>): void;
  sendRaw(data: string | Buffer): void;
  close(code?: number): Promise<void>;
}

/** Opens a socket; rejects when the handshake is refused. */
export function openTestSocket(url: string, options: ClientOptions = {}): Promise<TestSocket> {
  const ws = new WebSocket(url, { perMessageDeflate: false, ...options });
  const frames: Frame[] = [];
  const events: Frame[] = [];
  let cursor = 0;
  let wake: () => void = () => {};
  let hasClosed = false;
  ws.on('message', (data) => {
    const frame: Frame = JSON.parse(String(data));
    frames.push(frame);
    const batched = frame.payload['events'];
    events.push(...(frame.type === 'EVENT_TYPE_EVENT_BATCH' && Array.isArray(batched) ? batched : [frame]));
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => {
      hasClosed = true;
      resolve({ code, reason: String(reason) });
      wake();
    });
  });
  const socket: TestSocket = {
    ws,
    frames,
    events,
    closed,
    async next(fits) {
      const isFit = typeof fits === 'string' ? (frame: Frame) => frame.type === `EVENT_TYPE_${fits}` : fits;
      for (;;) {
        while (cursor < events.length) {
          const frame = events[cursor];
          cursor += 1;
          if (frame !== undefined && isFit(frame)) return frame;
        }
        const tell = (): string => `${String(fits)}; got ${typesOf(events).join(', ') || 'nothing'}`;
        if (hasClosed) throw new Error(`closed before ${tell()}`);
        await untilHeard((heard) => {
          wake = heard;
        }, tell);
      }
    },
    send(type, payload = {}, custom) {
      const frame = { type: `EVENT_TYPE_${type}`, payload, ...(custom && { metadata: { custom } }) };
      ws.send(JSON.stringify(frame));
    },
    sendRaw: (data) => ws.send(data),
    async close(code = 1000) {
      ws.close(code);
      await closed;
    },
  };
  return new Promise((resolve, reject) => {
    ws.once('open', () => resolve(socket));
    ws.once('error', reject);
  });
}

/** Types without their prefix, for comparing orders. */
export function typesOf(frames: readonly Frame[]): readonly string[] {
  return frames.map(({ type }) => type.replace('EVENT_TYPE_', ''));
}
