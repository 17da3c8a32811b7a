import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server got it. */
export type HeardRequest = { readonly request: IncomingMessage; readonly body: Buffer };

/** A server on this machine that answers as the test says. Closes at the end of its scope. */
export async function listen(
  answer: (heard: HeardRequest, response: ServerResponse) => void,
): Promise<{ readonly url: string; readonly requests: readonly HeardRequest[] } & AsyncDisposable> {
  const heard: HeardRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const one = { request, body: Buffer.concat(parts) };
      heard.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a host and port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
