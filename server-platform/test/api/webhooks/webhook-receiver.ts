import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createSelfSignedCertificate, type TestCertificate } from './self-signed-certificate.ts';

/** A delivery as it arrived. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Names as they were written, in order. */
  readonly headerNames: readonly string[];
  readonly body: string;
}

/** A customer's receiver, over TLS on a free port of this machine. */
export interface WebhookReceiver {
  /** `https://localhost:PORT`. */
  readonly url: string;
  readonly certificate: string;
  readonly received: readonly ReceivedWebhook[];
  /** Answers from now on; gets the number of the delivery, from 1. */
  answer: (response: ServerResponse, count: number) => void;
  /** Resolves when that many have arrived, at once if they have. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

let ownCertificate: TestCertificate | null = null;

/** The certificate of this thread's receivers, trusted like one of NODE_EXTRA_CA_CERTS. */
function trustedCertificate(): TestCertificate {
  // Once: trusted certificates are read before the first connection.
  if (ownCertificate === null) {
    ownCertificate = createSelfSignedCertificate();
    setDefaultCACertificates([...getCACertificates('default'), ownCertificate.certificate]);
  }
  return ownCertificate;
}

/** An answer with a status and nothing else. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers).end();
  };

/** Starts a receiver that answers 200; this thread trusts its certificate, by default. */
export async function startWebhookReceiver({
  isTrusted = true,
}: {
  readonly isTrusted?: boolean;
} = {}): Promise<WebhookReceiver> {
  const { certificate, key } = isTrusted ? trustedCertificate() : createSelfSignedCertificate();
  const received: ReceivedWebhook[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer({ cert: certificate, key }, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    received.push({
      path: request.url ?? '',
      method: request.method ?? '',
      headers: request.headers,
      headerNames: request.rawHeaders.filter((_, index) => index % 2 === 0),
      body: Buffer.concat(parts).toString(),
    });
    receiver.answer(response, received.length);
    for (const each of waiting) if (each.count <= received.length) each.resolve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: WebhookReceiver = {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate,
    received,
    answer: status(200),
    until: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
