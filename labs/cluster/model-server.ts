import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** A model that answers slowly: a stand-in for the service behind an agent. */
export interface ModelServer {
  readonly url: string;
  /** From now on it stops in the middle of each answer, until `release`. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}

/** Its answer to a question: long enough that a fault interrupts it. */
export const answerTo = (question: string): string =>
  `You asked: ${question}. ${Array.from({ length: WORDS }, (_, index) => `word ${index + 1}`).join(', ')}.`;

const WORDS = 40;
// Where an answer is held.
const MIDDLE = 15;

type Message = { readonly role: string; readonly content: string };

function write(response: ServerResponse, delta: object, finishReason: string | null): void {
  response.write(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: finishReason }] })}\n\n`);
}

async function answer(
  response: ServerResponse,
  question: string,
  { pauseMs, held }: { readonly pauseMs: number; readonly held: () => Promise<void> },
): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const [index, piece] of (answerTo(question).match(/\S+\s*/g) ?? []).entries()) {
    if (index === MIDDLE) await held();
    if (response.destroyed) return;
    write(response, { content: piece }, null);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  write(response, {}, 'stop');
  response.end('data: [DONE]\n\n');
}

/** Starts a model with the interface of chat completions. It pauses for `pauseMs` after each token. */
export async function startModel(pauseMs: number): Promise<ModelServer> {
  let isHeld: Promise<void> = Promise.resolve();
  let release = (): void => {};
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: readonly Message[] };
      const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      void answer(response, question, { pauseMs, held: () => isHeld });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server on a port has a port.');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    hold() {
      isHeld = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    async close() {
      release();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
