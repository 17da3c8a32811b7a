import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Name of the model. */
export const LITERAL_MODEL = 'literal';

type Message = { readonly role: string; readonly content: string; readonly tool_call_id?: string };

/** A model without any wit, on a free port of this machine. */
export interface LiteralModel {
  readonly url: string;
  close(): void;
}

const CALL_ID = 'searching';

const call = (name: string, args: object): object => ({
  tool_calls: [{ index: 0, id: CALL_ID, function: { name, arguments: JSON.stringify(args) } }],
});

/** Searches for the visitor's own words, then reads the first result out and cites it, or says that it does not know. */
function answer(messages: readonly Message[]): object {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const found = messages.find(({ tool_call_id: id }) => id === CALL_ID);
  if (found === undefined) return call('search_knowledge', { query: question });
  const [best] = JSON.parse(found.content).results ?? [];
  return best === undefined ? call('no_answer', {}) : { content: `${best.text} [${best.number}]` };
}

/**
 * Starts an HTTP server that replaces a language model: it calls the tools as a model should, and answers with the
 * words that they return. Its score therefore measures the search and the rules that every model is given.
 */
export async function startLiteralModel(): Promise<LiteralModel> {
  const server = createServer(async (request, response) => {
    const { messages } = (await json(request)) as { messages: readonly Message[] };
    const delta = answer(messages);
    const usage = {
      prompt_tokens: Math.ceil(JSON.stringify(messages).length / 4),
      completion_tokens: Math.ceil(JSON.stringify(delta).length / 4),
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'stop' }], usage })}\n\n`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
