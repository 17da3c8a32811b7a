/*
 * A real HTTP server on a free port that plays a script. Named like a test, and outside `src`, so that it is checked
 * with the tests, is never collected as one, and never ships.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNatter, type Natter, type NatterOptions } from '../src/index.ts';

/** The requests that arrived. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** One answer of the script: data, or a function that writes it. */
export type ScriptedAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | ((response: ServerResponse, request: SeenRequest) => void);

export interface ScriptedServer {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  readonly close: () => Promise<void>;
}

/** Starts a server that answers the first request with the first answer and so on; past the script it answers 599. */
export async function startScriptedServer(answers: readonly ScriptedAnswer[]): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const { method = '', url = '', headers } = request;
        const current = { method, url, headers, body };
        const answer = answers[seen.length];
        seen.push(current);
        if (answer === undefined) return void response.writeHead(599).end('the script is over');
        if (typeof answer === 'function') return answer(response, current);
        const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? null);
        response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
        response.end(answer.body === undefined ? undefined : text);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, seen, close: () => closeServer(server) };
}

/** Plays a script to a client; the server is gone when `run` has ended. */
export async function withServer(
  answers: readonly ScriptedAnswer[],
  run: (natter: Natter, server: ScriptedServer) => Promise<void>,
  options: Partial<NatterOptions> = {},
): Promise<void> {
  const server = await startScriptedServer(answers);
  try {
    const natter = createNatter({
      baseUrl: server.baseUrl,
      monitorBaseUrl: server.baseUrl,
      apiKey: 'key-runtime',
      monitorApiKey: 'key-monitoring',
      connectorToken: 'token-connector',
      accountId: 'acme',
      projectId: 'ferries',
      ...options,
    });
    await run(natter, server);
  } finally {
    await server.close();
  }
}

/** A clock whose timers of at most `longestMs` fire at once, and that records the delays. */
export function hastyClock(longestMs = 30_000): {
  readonly waits: number[];
  readonly clock: NonNullable<NatterOptions['clock']>;
} {
  const waits: number[] = [];
  return {
    waits,
    clock: {
      now: () => Date.UTC(2026, 2, 2),
      random: () => 0.5,
      startTimer: (delayMs, run) => {
        // Time limits are longer than any wait between attempts: they are left to run out for real.
        if (delayMs > longestMs) return () => undefined;
        waits.push(delayMs);
        queueMicrotask(run);
        return () => undefined;
      },
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
