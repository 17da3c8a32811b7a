import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { encodeBatches, encodeServerEvent, type OutgoingEvent } from 'natter/protocol';
import { type WebSocket, WebSocketServer } from 'ws';
import { buildEmbed } from '../../../demo/build/build-embed.ts';
import { launchChromium } from '../../../test/chromium/launch-chromium.ts';

/** A browser, and a server that replaces the proxy and the platform: one process, no database, no limits. */
export interface ChatPage {
  readonly browser: Browser;
  readonly origin: string;
  /** First events of every session that is opened from now on. */
  setHistory(events: readonly OutgoingEvent[]): void;
  /** Resolves when the next socket has come. */
  nextSocket(): Promise<void>;
  /** Sends an answer of `count` chunks to everybody, as fast as the sockets take them. */
  stream(count: number): void;
  close(): Promise<void>;
}

/** 12 bytes a chunk on average: 2,000 of them are the 24 kB of a long answer. */
const PIECES = [
  'Ferries leave ',
  '**every hour** ',
  'from [pier](',
  'https://x.example',
  ') three.',
  '\n\n- one\n',
  '- `two`\n\n',
  'Be *early*. ',
];
const EMBED = buildEmbed();
const PAGES: Readonly<Record<string, string>> = {
  '/widget': '<script src="/natter.js" defer></script>',
  '/empty': '',
  // The least that could be called a chat, for ratios: a button, a field, text in one element, no Markdown.
  '/bare': `<button aria-label="Open chat">Chat</button><main></main><script>
    const main = document.querySelector('main');
    const message = document.createElement('div');
    const text = document.createElement('p');
    message.setAttribute('part', 'agent-message');
    text.className = 'rich';
    message.append(text);
    document.querySelector('button').onclick = () => {
      const field = document.createElement('textarea');
      const name = document.createElement('h1');
      name.textContent = 'Ada';
      main.append(name, message, field);
      field.focus();
      const socket = new WebSocket('ws://' + location.host + '/ws');
      socket.addEventListener('message', ({ data }) => {
        const { type, payload } = JSON.parse(data);
        if (type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK') text.append(payload.text);
        if (type === 'EVENT_TYPE_EVENT_BATCH') text.textContent = payload.events.at(-1)?.payload.text?.replaceAll('*', '');
        if (payload.is_complete) message.dataset.streaming = 'false';
      });
    };</script>`,
};

/** The chunks of an answer, the last of which says so. */
export function createChunks(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    index === count - 1 ? 'The end.' : (PIECES[index % PIECES.length] ?? ''),
  );
}

let sequence = 0;
const event = (type: OutgoingEvent['type'], payload: OutgoingEvent['payload']): OutgoingEvent => {
  sequence += 1;
  return { id: `e-${sequence}`, sequence, timestampMs: Date.now(), type, payload, custom: null };
};

/** A question and its answer by turns. */
export function createHistory(count: number): readonly OutgoingEvent[] {
  sequence = 0;
  const joined = event('EVENT_TYPE_AGENT_JOINED', { agent_name: 'Ada' });
  const messages = Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? event('EVENT_TYPE_USER_MESSAGE', { message_id: `u${index}`, text: `When does ferry ${index} leave?` })
      : event('EVENT_TYPE_AGENT_MESSAGE', {
          message_id: `a${index}`,
          text: `Ferry **${index}** leaves at *noon* from [pier three](https://x.example/${index}).`,
          attachments: [],
          response_suggestions: [],
        }),
  );
  return [joined, ...messages];
}

/** Starts both; the caller closes them. */
export async function openChatPage(): Promise<ChatPage> {
  let history: readonly OutgoingEvent[] = createHistory(0);
  let answers = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const { port } = server.address() as AddressInfo;
    if (path in PAGES) {
      const html = `<!doctype html><meta name="viewport" content="width=device-width"><title>bench</title>${PAGES[path]}`;
      response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
    } else if (path === '/v1/session' || path === '/v1/resume') {
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          session_id: 'bench',
          access_token: `${btoa('{}')}.${btoa('{}')}.x`.replaceAll('=', ''),
          expires_in_seconds: 3_600,
          websocket_url: `ws://127.0.0.1:${port}/ws`,
          resume_by: 'body',
          resume_ticket: 'none',
        }),
      );
    } else if (path.endsWith('.js')) {
      response.setHeader('content-type', 'text/javascript').end(readFileSync(join(EMBED, path)));
    } else response.writeHead(404).end();
  });
  const sockets = new WebSocketServer({ server, path: '/ws' });
  sockets.on('connection', (socket: WebSocket) => {
    const start = event('EVENT_TYPE_SESSION_START', { capabilities: { streaming: true } });
    const options = {
      vocabulary: 'neutral' as const,
      maxBytes: 131_072,
      nowMs: Date.now(),
      createId: () => 'batch',
      lastSequence: sequence,
    };
    for (const frame of encodeBatches([start, ...history], options)) socket.send(frame);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium(['--enable-precise-memory-info']);
  return {
    browser,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setHistory(events) {
      history = events;
    },
    stream(count) {
      answers += 1;
      const frames = createChunks(count).map((text, index) =>
        encodeServerEvent(
          event('EVENT_TYPE_AGENT_MESSAGE_CHUNK', {
            message_id: `answer-${answers}`,
            chunk_index: index + 1,
            text,
            is_complete: index === count - 1,
            attachments: [],
            response_suggestions: [],
          }),
          'neutral',
        ),
      );
      for (const socket of sockets.clients) for (const frame of frames) socket.send(frame);
    },
    nextSocket: () => new Promise((resolve) => void sockets.once('connection', () => resolve())),
    async close() {
      await browser.close();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
