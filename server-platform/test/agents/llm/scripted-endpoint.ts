import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

/** A request the endpoint got. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came, and as JSON. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers one request on the wire. */
export type Script = (response: ServerResponse) => void | Promise<void>;

/** An endpoint that plays one script per request, over real HTTP on a free port. */
export interface ScriptedEndpoint extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Resolves when a client has gone away before its answer was complete. */
  readonly abandoned: Promise<void>;
}

/** Starts an endpoint that answers the first request with the first script, and so on; further ones get 418. */
export async function startScriptedEndpoint(...scripts: readonly Script[]): Promise<ScriptedEndpoint> {
  const requests: RecordedRequest[] = [];
  let abandon: () => void;
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const script = scripts[requests.length];
    const text = Buffer.concat(parts).toString('utf8');
    requests.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) });
    response.on('close', () => {
      if (!response.writableFinished) abandon();
    });
    if (script === undefined) response.writeHead(418).end();
    else await script(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The endpoint has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    abandoned,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };

/** Opens a stream; what follows goes through {@link write}. */
export function open(response: ServerResponse): void {
  response.writeHead(200, STREAM_HEADERS);
}

/** Sends raw text and waits until the socket has taken it. */
export function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** One event of the stream. */
export const event = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** A chunk with a delta. */
export const chunk = (delta: Record<string, unknown>, finishReason: string | null = null): string =>
  event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });

/** A complete answer, one chunk per text. */
export function says(...texts: readonly string[]): Script {
  return async (response) => {
    open(response);
    await write(response, chunk({ role: 'assistant', content: '' }));
    for (const text of texts) await write(response, chunk({ content: text }));
    await write(response, chunk({}, 'stop'));
    response.end(event('[DONE]'));
  };
}

/** An answer that calls tools, each in one piece. */
export function calls(
  ...toolCalls: readonly { readonly name: string; readonly arguments: string }[]
): Script {
  return async (response) => {
    open(response);
    for (const [index, call] of toolCalls.entries()) {
      await write(
        response,
        chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: call }] }),
      );
    }
    await write(response, chunk({}, 'tool_calls'));
    response.end(event('[DONE]'));
  };
}

/** A refusal with a JSON body. */
export function refuses(
  status: number,
  error: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error }));
  };
}
