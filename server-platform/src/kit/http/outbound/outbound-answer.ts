import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange } from './exchange.ts';
import { OutboundError } from './outbound-error.ts';

/** Another server's response. Its body can be read once: as pieces, bytes or JSON, or not at all. */
export class OutboundAnswer {
  readonly status: number;
  readonly #headers: IncomingHttpHeaders;
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #exchange: Exchange;

  constructor(
    { status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
    body: AsyncIterable<Uint8Array>,
    exchange: Exchange,
  ) {
    this.status = status;
    this.#headers = headers;
    this.#body = body;
    this.#exchange = exchange;
  }

  /** True for a status from 200 to 299. A redirect is not followed and does not count. */
  get isOk(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** True for 408, 429 and 5xx: a later attempt may succeed. */
  get mayPass(): boolean {
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }

  /** Returns a header by its lower-case name; null when it is absent or repeated. */
  header(name: string): string | null {
    const value = this.#headers[name];
    return typeof value === 'string' ? value : null;
  }

  /** Yields the pieces of the body as they arrive. Leaving the loop early ends the exchange. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    const exchange = this.#exchange;
    const reader = this.#body[Symbol.asyncIterator]();
    let left = exchange.limits.maxBytes;
    try {
      exchange.checkLength(this.header('content-length'));
      for (let isFirst = true; ; isFirst = false) {
        const { done, value } = await exchange.within(isFirst ? 'first_byte' : 'idle', () => reader.next());
        if (done === true) return exchange.finish();
        left -= value.length;
        if (left < 0) throw exchange.tooLarge();
        yield value;
      }
    } finally {
      exchange.discard();
    }
  }

  /** The whole body. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = [];
    for await (const piece of this.pieces()) parts.push(piece);
    return new Uint8Array(Buffer.concat(parts));
  }

  /** The whole body as JSON. */
  async json(): Promise<unknown> {
    const bytes = await this.bytes();
    try {
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch (cause) {
      const message = `${this.#exchange.host} answered with something other than JSON. Check the address.`;
      throw new OutboundError('malformed', message, { cause });
    }
  }

  /** Ends the exchange without reading the rest of the body. */
  discard(): void {
    this.#exchange.discard();
  }
}
