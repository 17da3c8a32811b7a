import { lookup as lookupName } from 'node:dns/promises';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, type WebhookAnswer } from '@natter/sdk';
import type { Clock } from '../clock.ts';

/** One attempt as it goes over the wire. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Ends the attempt when the platform shuts down. */
  readonly signal: AbortSignal;
}

/** How an attempt ended, and one line about it for the operator. Source: WD-6, WD-8. */
export interface SentWebhook {
  readonly answer: WebhookAnswer;
  readonly outcome: string;
}

/** What sending needs. */
export interface SendWebhookOptions {
  readonly clock: Clock;
  readonly allowsPrivateAddresses: boolean;
  /** All addresses of a host name. Default: the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

const resolveBySystem = async (hostname: string): Promise<readonly string[]> =>
  (await lookupName(hostname, { all: true, verbatim: true })).map(({ address }) => address);

class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/**
 * Makes one attempt: a POST to one address that is resolved and checked now, also after an earlier attempt. The
 * connection goes to that very address, so that a second answer of the resolver cannot lead elsewhere. Redirects are
 * not followed, the body of the answer is not read. Never rejects. Source: WD-6, WD-8.
 */
export async function sendWebhook(
  { url, headers, body, timeoutMs, signal }: WebhookRequest,
  options: SendWebhookOptions,
): Promise<SentWebhook> {
  const timeout = new AbortController();
  const cancelTimer = options.clock.setTimer(() => timeout.abort(), timeoutMs);
  const either = AbortSignal.any([signal, timeout.signal]);
  try {
    const target = new URL(url);
    const address = await unlessAborted(either, findAddress(target, options));
    const status = await post({ target, address, headers, body, signal: either });
    return { answer: { status }, outcome: `HTTP ${status}` };
  } catch (error) {
    if (timeout.signal.aborted) return { answer: { error: 'timeout' }, outcome: `timeout (${timeoutMs} ms)` };
    return { answer: { error: 'network' }, outcome: describe(error) };
  } finally {
    cancelTimer();
  }
}

/** The address to connect to. Rejects when the name has none, or one that is not allowed. */
async function findAddress(
  { hostname }: URL,
  { allowsPrivateAddresses, resolve = resolveBySystem }: SendWebhookOptions,
): Promise<string> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const [first] = addresses;
  if (first === undefined) throw new Error('the host has no address');
  // A name with any private address is refused as a whole, because its owner points into the network.
  if (!allowsPrivateAddresses && !addresses.every(isPublicAddress)) {
    throw new BlockedAddressError('the host has an address that is not public');
  }
  return first;
}

interface Post {
  readonly target: URL;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

function post({ target, address, headers, body, signal }: Post): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      method: 'POST',
      host: address,
      // The name the certificate must be for; an address has none, and is compared itself.
      servername: isIP(target.hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? target.hostname : '',
      port: target.port === '' ? 443 : Number(target.port),
      path: `${target.pathname}${target.search}`,
      headers: { Host: target.host, 'Content-Length': Buffer.byteLength(body), ...headers },
      // A pooled connection could be one to an address that was checked for another name.
      agent: false,
      signal,
    });
    const finish = (status: number | undefined): void => {
      if (status === undefined) reject(new Error('the answer has no status'));
      else resolve(status);
      outgoing.destroy();
    };
    outgoing.on('response', (response) => finish(response.statusCode));
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      finish(response.statusCode);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Resolves with the promise, or rejects as soon as the signal is aborted, because a resolver cannot be stopped. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** A word or two for the list of deliveries; the system's own texts may hold addresses. */
function describe(error: unknown): string {
  if (error instanceof BlockedAddressError) return 'refused: private address';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === '' ? 'network error' : `network error (${code})`;
}
