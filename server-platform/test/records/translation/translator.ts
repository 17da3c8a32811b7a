import { createServer, type ServerResponse } from 'node:http';

/** Requests that the endpoint received. */
export type Asked = {
  readonly authorization: string | undefined;
  readonly system: string;
  readonly user: string;
};

/** A chat-completions endpoint over real HTTP that "translates" by naming the language it was asked for. */
export interface Translator extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Answers in its place; false: it answers itself. */
  respond: (response: ServerResponse) => boolean;
}

/** Starts the endpoint on a free port. */
export async function startTranslator(): Promise<Translator> {
  const asked: Asked[] = [];
  const translator = { respond: (_: ServerResponse): boolean => false };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { messages } = JSON.parse(Buffer.concat(parts).toString('utf8'));
    const [{ content: system }, { content: user }] = messages;
    asked.push({ authorization: request.headers.authorization, system, user });
    if (translator.respond(response)) return;
    const language = /into (\w+)/.exec(system)?.[1];
    const answer = { choices: [{ message: { role: 'assistant', content: `${language}: ${user}` } }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The endpoint has no port.');
  return Object.assign(translator, {
    url: `http://127.0.0.1:${address.port}/v1`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
