import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { encodeBatches, encodeServerEvent, type OutgoingEvent } from 'natter/protocol';
import { WebSocketServer } from 'ws';
import { buildEmbed } from '../demo/build-embed.ts';
import { CHROMIUM_ARGS, findChromium } from '../test/find-chromium.ts';

/**
 * How many chunks per second the widget puts on the screen, and how many long tasks (over 50 ms) that takes:
 * the server sends an answer of CHUNKS chunks as fast as the socket takes them. Measured against a page that
 * only appends each chunk's text to one element, in the same browser and run.
 */
const CHUNKS = 4_000;
const PIECES = [
  'Ferries leave **every hour** ',
  'from pier [three](https://example.com/help). ',
  '\n\n- first\n- second\n\n',
  'Bring `your` ticket, ',
  'and arrive *early*. ',
];
const EMBED = buildEmbed();
const TIMEOUT_MS = 120_000;

let sequence = 0;
const event = (type: OutgoingEvent['type'], payload: OutgoingEvent['payload']): OutgoingEvent => {
  sequence += 1;
  return { id: `e-${sequence}`, sequence, timestampMs: Date.now(), type, payload, custom: null };
};

const chunk = (index: number): OutgoingEvent =>
  event('EVENT_TYPE_AGENT_MESSAGE_CHUNK', {
    message_id: 'msg_1',
    chunk_index: index,
    text: PIECES[index % PIECES.length] ?? '',
    is_complete: index === CHUNKS,
    attachments: [],
    response_suggestions: [],
  });

const pages: Readonly<Record<string, string>> = {
  '/widget': '<!doctype html><title>widget</title><script src="/natter.js"></script>',
  '/bare': `<!doctype html><title>bare</title><div id="text"></div><script>
    const text = document.getElementById('text');
    new WebSocket('ws://' + location.host + '/ws').onmessage = ({ data }) => {
      const { type, payload } = JSON.parse(data);
      if (type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK') text.append(payload.text);
      if (payload.is_complete) window.isDone = true;
    };</script>`,
};

const server = createServer((request, response) => {
  const path = request.url ?? '/';
  const { port } = server.address() as AddressInfo;
  if (path in pages) {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(pages[path]);
  } else if (path === '/v1/session') {
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        session_id: 'bench',
        access_token: `${btoa('{}')}.${btoa('{}')}.x`.replaceAll('=', ''),
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        websocket_url: `ws://127.0.0.1:${port}/ws`,
        resume_ticket: 'none',
      }),
    );
  } else if (path.endsWith('.js')) {
    response.setHeader('content-type', 'text/javascript').end(readFileSync(join(EMBED, path)));
  } else response.writeHead(404).end();
});

const sockets = new WebSocketServer({ server, path: '/ws' });
sockets.on('connection', (socket) => {
  sequence = 0;
  const start = event('EVENT_TYPE_SESSION_START', { capabilities: { streaming: true } });
  const options = {
    vocabulary: 'neutral' as const,
    maxBytes: 131_072,
    nowMs: Date.now(),
    createId: () => 'batch',
    lastSequence: 1,
  };
  for (const frame of encodeBatches([start], options)) socket.send(frame);
  socket.send(encodeServerEvent(event('EVENT_TYPE_AGENT_JOINED', { agent_name: 'Ada' }), 'neutral'));
  for (let index = 1; index <= CHUNKS; index++) socket.send(encodeServerEvent(chunk(index), 'neutral'));
});

interface Figures {
  readonly chunksPerSecond: number;
  readonly longTasks: number;
  readonly longestMs: number;
}

async function measure(page: Page, path: string, isDone: () => boolean): Promise<Figures> {
  const { port } = server.address() as AddressInfo;
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Reflect.set(window, 'longTasks', tasks);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask' });
  });
  await page.goto(`http://127.0.0.1:${port}${path}`);
  const startedAt = await page.evaluate(() => performance.now());
  if (path === '/widget') await page.getByRole('button', { name: /open chat/i }).click();
  await page.waitForFunction(isDone, undefined, { timeout: TIMEOUT_MS, polling: 'raf' });
  const { endedAt, tasks } = await page.evaluate(() => ({
    endedAt: performance.now(),
    tasks: Reflect.get(window, 'longTasks') as number[],
  }));
  return {
    chunksPerSecond: CHUNKS / ((endedAt - startedAt) / 1000),
    longTasks: tasks.length,
    longestMs: Math.max(0, ...tasks),
  };
}

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const executablePath = findChromium();
const browser = await chromium.launch({
  args: [...CHROMIUM_ARGS],
  ...(executablePath && { executablePath }),
});
try {
  const widget = await measure(await browser.newPage(), '/widget', () => {
    const root = document.querySelector('natter-chat')?.shadowRoot;
    const last = root?.querySelector('[data-author="agent"]');
    return last?.getAttribute('data-streaming') === 'false';
  });
  const bare = await measure(await browser.newPage(), '/bare', () => Reflect.get(window, 'isDone') === true);
  const row = (name: string, { chunksPerSecond, longTasks, longestMs }: Figures): void =>
    console.log(
      name.padEnd(22),
      `${Math.round(chunksPerSecond)} chunks/s`.padStart(18),
      `${longTasks} long tasks`.padStart(16),
      `longest ${Math.round(longestMs)} ms`.padStart(18),
    );
  console.log(`${CHUNKS} chunks of one answer, sent as fast as the socket takes them`);
  row('widget', widget);
  row('bare text appended', bare);
  console.log(`ratio to bare ${(widget.chunksPerSecond / bare.chunksPerSecond).toFixed(3)}`);
} finally {
  await browser.close();
  sockets.close();
  server.closeAllConnections();
  server.close();
}
