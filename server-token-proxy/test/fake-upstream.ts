import { createServer, type IncomingHttpHeaders } from 'node:http';
import { base64url } from 'jose';

/** How the fake platform treats one request. */
export type Behaviour =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  | { readonly raw: string; readonly status: number }
  | 'hang'
  | 'reset';

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real HTTP server on a free port with scripted behaviour. */
export interface FakeUpstream {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Behaviours of the next requests to a path; the last one stays. */
  script(path: string, behaviours: readonly Behaviour[]): void;
  /** Resolves when a request to the path has arrived, also when it did before. */
  arrival(path: string): Promise<void>;
  /** Resolves when the other end has dropped a request that hangs. */
  dropped(): Promise<void>;
  close(): Promise<void>;
}

/** Path of the token endpoint. */
export const TOKEN_PATH = '/api/v1/access-token';
/** Path of the session endpoint. */
export const SESSION_PATH = '/api/v1/sessions';

/** A token with the shape that the contract asks for; the signature is not one. */
export function makeAccessToken(payload: Readonly<Record<string, unknown>>): string {
  const part = (value: unknown): string => base64url.encode(JSON.stringify(value));
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}.c2lnbmF0dXJlLW9mLXRoZS1mYWtl`;
}

/** Starts a platform that grants `accessToken` and opens `sessionId` unless scripted otherwise. */
export async function startFakeUpstream(accessToken: string, sessionId: string): Promise<FakeUpstream> {
  const scripts = new Map<string, readonly Behaviour[]>([
    [
      TOKEN_PATH,
      [{ status: 200, body: { access_token: accessToken, expires_in: 86_400, token_type: 'Bearer' } }],
    ],
    [SESSION_PATH, [{ status: 200, body: { session_id: sessionId } }]],
  ]);
  const seen: SeenRequest[] = [];
  const onSeen = new Set<() => void>();
  let reportDrop = (): void => {};
  const drop = new Promise<void>((resolve) => {
    reportDrop = resolve;
  });

  const next = (path: string): Behaviour => {
    const [behaviour, ...rest] = scripts.get(path) ?? [];
    if (behaviour === undefined) return { status: 404, body: { message: 'Resource not found' } };
    if (rest.length > 0) scripts.set(path, rest);
    return behaviour;
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      seen.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') });
      for (const listener of onSeen) listener();
      if (method === 'OPTIONS') {
        response.writeHead(204).end();
        return;
      }
      const behaviour = next(path);
      if (behaviour === 'hang') {
        response.on('close', reportDrop);
      } else if (behaviour === 'reset') {
        request.socket.destroy();
      } else if ('raw' in behaviour) {
        response.writeHead(behaviour.status, { 'Content-Type': 'application/json' }).end(behaviour.raw);
      } else {
        response
          .writeHead(behaviour.status, { 'Content-Type': 'application/json', ...behaviour.headers })
          .end(JSON.stringify(behaviour.body));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fake platform has no port.');

  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    script: (path, behaviours) => scripts.set(path, behaviours),
    arrival: (path) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!seen.some((request) => request.path === path)) return;
          onSeen.delete(check);
          resolve();
        };
        onSeen.add(check);
        check();
      }),
    dropped: () => drop,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
