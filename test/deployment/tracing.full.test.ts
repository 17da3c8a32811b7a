import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../e2e/stack/free-port.ts';
import { says, startScriptedEndpoint } from '../../server-platform/test/agents/llm/scripted-endpoint.ts';
import { isEndOfMessage } from '../../server-platform/test/realtime/test-platform.ts';
import { openTestSocket } from '../../server-platform/test/realtime/test-socket.ts';
import { PROGRAM_ENVIRONMENT, runPlatform } from '../../server-platform/test/run-platform.ts';
import { createTicketKey } from '../../server-token-proxy/src/index.ts';
import { startTraceCollector, type TraceCollector } from './trace-collector.ts';

const PROXY = fileURLToPath(new URL('../../server-token-proxy/src/cli.ts', import.meta.url));
const ORIGIN = 'http://www.kittiwake.example';
const CONNECTOR_TOKEN = `nct_${'t'.repeat(43)}`;
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PAGE_SPAN = '00f067aa0ba902b7';
const TEXTS = { greeting: 'Hello, I am automated.', systemPrompt: 'You help.' };
const WORDS = 'the words of a visitor';

/** Starts a platform whose agent calls `modelUrl`, with one connector. */
async function startPlatform(modelUrl: string, collector: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'natter-traces-'));
  const project = { slug: 'web', name: 'Web', agent: 'ada' };
  const connectors = [{ name: 'site', hosts: ['www.kittiwake.example'], token: CONNECTOR_TOKEN }];
  const file = join(folder, 'natter.json');
  writeFileSync(
    file,
    JSON.stringify({
      accounts: [{ slug: 'ferry', name: 'Ferry', projects: [{ ...project, connectors }] }],
      agents: { ada: { kind: 'llm', name: 'Ada', url: modelUrl, model: 'small', ...TEXTS } },
    }),
  );
  const args = ['serve', '--config', file, '--data', join(folder, 'data'), '--port', '0'];
  const platform = runPlatform(args, collector);
  onTestFinished(async () => {
    await platform.stop();
    rmSync(folder, { recursive: true });
  });
  return { url: await platform.serving, stop: platform.stop };
}

/** Starts a token proxy for the platform. */
async function startProxy(platformUrl: string, collector: Readonly<Record<string, string>>) {
  const port = await findFreePort();
  const child: ChildProcess = spawn(process.execPath, ['--conditions=@natter/source', PROXY], {
    env: {
      ...PROGRAM_ENVIRONMENT,
      ...collector,
      PORT: String(port),
      NATTER_UPSTREAM_URL: platformUrl,
      NATTER_CONNECTOR_HOST: 'www.kittiwake.example',
      NATTER_CONNECTOR_TOKEN: CONNECTOR_TOKEN,
      NATTER_TICKET_KEYS: createTicketKey(),
      NATTER_ALLOWED_ORIGINS: ORIGIN,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(stop);
  // Reads the log to its end, because a proxy whose log is not read would block eventually.
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      log += part;
      if (log.includes('is ready')) resolve();
    });
    ended.then(([code]) => reject(new Error(`The token proxy ended with ${code}:\n${log}`)), reject);
  });
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** Acts as the page of a traced visitor: starts a session, and sends a message. */
async function converse(proxyUrl: string): Promise<Readonly<Record<string, string>>> {
  const traceparent = `00-${TRACE_ID}-${PAGE_SPAN}-01`;
  const started = await fetch(`${proxyUrl}/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: ORIGIN, traceparent, baggage: 'user=ada' },
    body: '{}',
  });
  const session = await started.json();
  const { session_id: id, access_token: token, websocket_url: url } = session;
  const socket = await openTestSocket(`${url}?session_id=${id}&access_token=${token}`, { origin: ORIGIN });
  socket.send('REQUEST_AGENT_JOIN', {});
  await socket.next(isEndOfMessage);
  socket.send('USER_MESSAGE', { text: WORDS });
  await socket.next(isEndOfMessage);
  await socket.close();
  return session;
}

/** Returns the names of a span and its ancestors, the outermost first. */
function pathOf(spans: TraceCollector['spans'], service: string, name: string): readonly string[] {
  let span = spans.findLast((each) => each.service === service && each.name === name);
  const path: string[] = [];
  while (span !== undefined) {
    path.unshift(`${span.service}: ${span.name}`);
    const { parentSpanId } = span;
    if (parentSpanId === PAGE_SPAN) path.unshift('page');
    span = spans.find(({ spanId }) => spanId === parentSpanId);
  }
  return path;
}

it('connects the page, both servers and the model in one trace, without texts or tokens', async () => {
  await using collector = await startTraceCollector();
  await using model = await startScriptedEndpoint(says('An answer of the model.'));
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const platform = await startPlatform(model.url, environment);
  const proxy = await startProxy(platform.url, environment);
  const session = await converse(proxy.url);
  // The remaining spans are sent at the end.
  await proxy.stop();
  await platform.stop();

  const { spans } = collector;
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
  const creating = [
    'page',
    'natter-token-proxy: POST session',
    'natter-token-proxy: POST',
    'natter-platform: POST /api/v1/sessions',
  ];
  expect(pathOf(spans, 'natter-platform', 'message')).toEqual([...creating, 'natter-platform: message']);
  const asking = [...creating, 'natter-platform: turn', 'natter-platform: agent', 'natter-platform: POST'];
  expect(pathOf(spans, 'natter-platform', 'POST')).toEqual(asking);
  const call = spans.findLast(({ service, name }) => service === 'natter-platform' && name === 'POST');
  expect(model.requests[0]?.headers['traceparent']).toBe(`00-${TRACE_ID}-${call?.spanId}-01`);
  expect(model.requests[0]?.headers['baggage']).toBeUndefined();
  expect(call?.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 });
  const writers = spans
    .filter(({ name }) => name === 'commit')
    .map(({ parentSpanId }) => spans.find(({ spanId }) => spanId === parentSpanId)?.name);
  expect(new Set(writers)).toEqual(new Set(['message', 'turn']));
  expect(spans.find(({ name }) => name === 'turn')?.attributes).toMatchObject({
    'session.id': session['session_id'],
  });
  const secrets = [WORDS, 'An answer', CONNECTOR_TOKEN, session['access_token'], session['resume_ticket']];
  for (const secret of secrets) expect(collector.received()).not.toContain(secret);
});

it('creates no trace and loads no SDK without a collector', async () => {
  await using model = await startScriptedEndpoint(says('An answer of the model.'));
  const platform = await startPlatform(model.url, {});
  const proxy = await startProxy(platform.url, {});
  await converse(proxy.url);
  expect(model.requests[0]?.headers['traceparent']).toBeUndefined();
});
