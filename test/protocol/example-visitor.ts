import { WebSocket } from 'ws';
import { untilHeard } from '../../server-platform/test/until-heard.ts';
import { CREDENTIALS } from './example-platform.ts';

/** A frame on the wire. */
export type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

/** A client without code of this repository: `fetch`, a plain socket, and the documents. */
export interface ExampleVisitor {
  readonly sessionId: string;
  readonly accessToken: string;
  /** All frames so far: batches as they arrived, and each event of a batch after it. */
  readonly received: readonly Frame[];
  readonly closed: Promise<number>;
  send(frame: unknown): void;
  /** Resolves with the first matching frame that no earlier call has returned. */
  next(fits: (frame: Frame) => boolean, wanted: string): Promise<Frame>;
  close(): Promise<number>;
}

/** Options of a visit. */
export interface VisitOptions {
  readonly isStreaming?: boolean;
  readonly connector?: 'connector_token' | 'survey_connector_token';
}

/** Starts a session and opens its socket. */
export async function visit(
  url: string,
  { isStreaming = false, connector = 'connector_token' }: VisitOptions = {},
): Promise<ExampleVisitor> {
  const { access_token } = await post(`${url}/api/v1/access-token`, {
    'X-Token': CREDENTIALS[connector],
    'X-Host': 'shop.example.com',
  });
  const { session_id } = await post(
    `${url}/api/v1/sessions`,
    { Authorization: `Bearer ${access_token}` },
    { platform: 'web', streaming_enabled: isStreaming },
  );
  return connect(url, { sessionId: String(session_id), accessToken: String(access_token) });
}

/** Opens a socket of a session. */
async function connect(
  url: string,
  { sessionId, accessToken }: Pick<ExampleVisitor, 'sessionId' | 'accessToken'>,
): Promise<ExampleVisitor> {
  const query = new URLSearchParams({ session_id: sessionId, access_token: accessToken });
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?${query}`);
  const received: Frame[] = [];
  let position = 0;
  let notify: () => void = () => {};
  let isClosed = false;
  socket.on('message', (data) => {
    const frame: Frame & { readonly payload?: { readonly events?: readonly Frame[] } } = JSON.parse(
      String(data),
    );
    received.push(frame, ...(frame.payload?.events ?? []));
    notify();
  });
  const closed = new Promise<number>((resolve) => {
    socket.on('close', (code) => {
      isClosed = true;
      resolve(code);
      notify();
    });
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    sessionId,
    accessToken,
    received,
    closed,
    send: (frame) => socket.send(JSON.stringify(frame)),
    async next(fits, wanted) {
      for (;;) {
        while (position < received.length) {
          const frame = received[position];
          position += 1;
          if (frame !== undefined && fits(frame)) return frame;
        }
        const tell = (): string => `${wanted}; got ${received.map(({ type }) => type).join(', ')}`;
        if (isClosed) throw new Error(`closed before ${tell()}`);
        await untilHeard((heard) => {
          notify = heard;
        }, tell);
      }
    },
    close() {
      socket.close(1000);
      return closed;
    },
  };
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object = {},
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}
