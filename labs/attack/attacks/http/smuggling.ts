import type { Attack } from '../../attack.ts';
import { exchange } from '../../peers/hostile-http.ts';

const SMUGGLED = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const post = (fields: readonly string[], body: string): string =>
  [`POST /api/v1/access-token HTTP/1.1`, 'Host: 127.0.0.1', ...fields, '', body].join('\r\n');

// An ambiguous request ends its connection; another one may be kept alive.
const END_PATIENCE_MS = 5_000;
const ANSWER_LINGER_MS = 50;

/** Each is read as one request by one kind of server and as two by another; a proxy in front may be either. */
const REQUESTS: readonly string[] = [
  post(['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`),
  post(['Transfer-Encoding: chunked', 'Content-Length: 4'], `5c\r\n${SMUGGLED}\r\n0\r\n\r\n`),
  post(['Content-Length: 0', `Content-Length: ${SMUGGLED.length}`], SMUGGLED),
  post(['Content-Length: 0, 44'], SMUGGLED),
  post(['Content-Length: +2'], `{}${SMUGGLED}`),
  post(['Content-Length: 0x2'], `{}${SMUGGLED}`),
  post(['Content-Length: -1'], SMUGGLED),
  post(['Content-Length: 99999999999999999999'], SMUGGLED),
  post(['Transfer-Encoding : chunked'], `0\r\n\r\n${SMUGGLED}`),
  post(['Transfer-Encoding: xchunked', 'Content-Length: 0'], SMUGGLED),
  post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${SMUGGLED}`),
  post(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity', 'Content-Length: 0'], SMUGGLED),
  post(['Transfer-Encoding: chunked'], `fffffffffffffffff\r\n${SMUGGLED}`),
  post(['Transfer-Encoding: chunked'], `zz\r\n${SMUGGLED}`),
  post(['Transfer-Encoding: chunked'], `0;ext="\n\r\n\r\n${SMUGGLED}`),
  post(['X-Folded: a\r\n Content-Length: 0'], `\x00${SMUGGLED}`),
  post(['Content-Length: 0\nX-Bare: 1'], `\x00${SMUGGLED}`),
  post(['X-Zero: a\x00b'], SMUGGLED),
  `GET /healthz HTTP/1.1\rHost: 127.0.0.1\r\r${SMUGGLED}`,
  `GET /healthz HTTP/2.9\r\nHost: 127.0.0.1\r\n\r\n${SMUGGLED}`,
];

// One request with a body, with any upgrade request: it may be answered, but only once.
const UPGRADE_WITH_BODY = `GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`;

/** Requests that two servers read differently. */
export const smuggling: Attack = {
  name: 'smuggling',
  summary: 'hides a second request behind contradicting lengths and encodings',
  allowed: ['HTTP 400', 'dropped', /^upgrade with a body: (?:HTTP 4\d\d|dropped)$/],
  required: ['HTTP 400'],
  async run(context) {
    const shapes = [...REQUESTS, UPGRADE_WITH_BODY];
    await context.repeat(8, { small: shapes.length * 2, full: 10_000 }, async (index) => {
      const target = Math.floor(index / shapes.length) % 2 === 0 ? 'platform' : 'proxy';
      const shape = index % shapes.length;
      const isOrdinary = shape === REQUESTS.length;
      const lingerMs = isOrdinary ? ANSWER_LINGER_MS : END_PATIENCE_MS;
      const { statuses, isEnded } = await exchange(context, target, shapes[shape] ?? '', lingerMs);
      const [first] = statuses;
      const outcome = first === undefined ? 'dropped' : `HTTP ${first}`;
      if (statuses.length > 1) context.count(`shape ${shape} smuggled: ${statuses.join(' ')}`);
      else if (isOrdinary) context.count(`upgrade with a body: ${outcome}`);
      else context.count(isEnded ? outcome : `shape ${shape}: ${outcome}, then open`);
    });
  },
};
