import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { type WebSocket, WebSocketServer } from 'ws';
import { WIDGETS } from './widgets.ts';

const DIST = fileURLToPath(new URL('./dist', import.meta.url));

/** A server with one page for each widget, and the least backend that each of them talks to. */
export interface PeerServer {
  readonly origin: string;
  /** Whether a page waits for an answer. */
  isAwaited(): boolean;
  /** Sends the chunks of one answer to every page, as fast as the connections take them. */
  stream(chunks: readonly string[]): void;
  close(): Promise<void>;
}

/** Builds each page into one file, as a separate application. */
export async function buildPeers(): Promise<void> {
  for (const { name, page } of WIDGETS) {
    if (!page) continue;
    await build({
      configFile: false,
      root: fileURLToPath(new URL('.', import.meta.url)),
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
      oxc: { jsx: { runtime: 'automatic', importSource: 'react', development: false } },
      build: {
        outDir: `dist/${name}`,
        lib: { entry: `pages/${page}`, formats: ['es'], fileName: () => 'page.js', cssFileName: 'page' },
      },
    });
  }
}

const sse = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const part = (type: string, text: string): string =>
  JSON.stringify({ type: 'agent_chat_response_part', text_response_part: { text, type } });

/** The message that each backend sends for one chunk. */
const WRITERS = {
  '/answers/chunks': (text: string, isFirst: boolean, isLast: boolean) => [
    JSON.stringify({ text, isFirst, isLast }),
  ],
  '/answers/deep-chat': (text: string) => [sse({ text })],
  '/answers/elevenlabs': (text: string, isFirst: boolean) =>
    isFirst ? [part('start', ''), part('delta', text)] : [part('delta', text)],
  '/api/v1/prediction/bench': (text: string, isFirst: boolean) => {
    const token = sse({ event: 'token', data: text });
    return isFirst ? [sse({ event: 'start', data: '' }), token] : [token];
  },
} as const;
type Backend = keyof typeof WRITERS;

const isBackend = (path: string): path is Backend => path in WRITERS;

/** elevenlabs' widget shows no answer before these two have come. */
const ELEVENLABS_START = [
  {
    type: 'conversation_initiation_metadata',
    conversation_initiation_metadata_event: {
      conversation_id: 'bench',
      agent_output_audio_format: 'pcm_16000',
      user_input_audio_format: 'pcm_16000',
    },
  },
  { type: 'agent_response', agent_response_event: { agent_response: 'Hello' } },
] as const;

/** Starts the server; the caller closes it. */
export async function openPeerServer(): Promise<PeerServer> {
  const responses = new Map<ServerResponse, Backend>();
  const sockets = new Map<WebSocket, Backend>();
  const server = createServer((request, response) => {
    const path = pathOf(request);
    if (!isBackend(path)) return void answer(path, response);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    responses.set(response, path);
    response.on('close', () => responses.delete(response));
  });
  const socketServer = new WebSocketServer({
    server,
    handleProtocols: (protocols) => [...protocols][0] ?? false,
  });
  socketServer.on('connection', (socket, request) => {
    const path = pathOf(request);
    if (!isBackend(path)) return socket.close();
    const add = () => sockets.set(socket, path);
    socket.on('close', () => sockets.delete(socket));
    if (path !== '/answers/elevenlabs') return void add();
    socket.once('message', () => {
      for (const message of ELEVENLABS_START) socket.send(JSON.stringify(message));
      add();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isAwaited: () => responses.size + sockets.size > 0,
    stream(chunks) {
      for (const [index, text] of chunks.entries()) {
        const isFirst = index === 0;
        const isLast = index === chunks.length - 1;
        for (const [response, path] of responses)
          for (const piece of WRITERS[path](text, isFirst, isLast)) response.write(piece);
        for (const [socket, path] of sockets)
          for (const piece of WRITERS[path](text, isFirst, isLast)) socket.send(piece);
      }
      for (const response of responses.keys()) response.end();
    },
    async close() {
      for (const socket of socketServer.clients) socket.terminate();
      socketServer.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const pathOf = (request: IncomingMessage): string => new URL(request.url ?? '/', 'http://bench').pathname;

/** Answers with a page, with its script or style sheet, or with the settings that flowise asks for. */
async function answer(path: string, response: ServerResponse): Promise<void> {
  if (path === '/api/v1/chatflows-streaming/bench') {
    response.setHeader('content-type', 'application/json').end('{"isStreaming":true}');
  } else if (path === '/api/v1/public-chatbotConfig/bench') {
    response.setHeader('content-type', 'application/json').end('{}');
  } else if (/^\/[a-z-]+\/page\.(?:js|css)$/.test(path)) {
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/css';
    response.setHeader('content-type', type).end(await readFile(DIST + path));
  } else if (WIDGETS.some(({ name }) => path === `/${name}`)) {
    const style = existsSync(`${DIST}${path}/page.css`)
      ? `<link rel="stylesheet" href="${path}/page.css">`
      : '';
    const html = `<!doctype html><meta name="viewport" content="width=device-width"><title>bench</title>${style}<body><script type="module" src="${path}/page.js"></script>`;
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  } else response.writeHead(404).end();
}
