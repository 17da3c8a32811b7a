import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span in the JSON of OTLP. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A collector that accepts OTLP over HTTP. */
export interface TraceCollector extends AsyncDisposable {
  readonly url: string;
  /** All spans so far. */
  readonly spans: readonly CollectedSpan[];
  /** Returns everything that was sent, as text. */
  readonly received: () => string;
}

type Value = Readonly<Record<string, unknown>>;
type Attribute = { readonly key: string; readonly value: Value };
type Span = Omit<CollectedSpan, 'service' | 'attributes'> & { readonly attributes: readonly Attribute[] };
type Export = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
};

const read = (attributes: readonly Attribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Starts a collector on a free port. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let received = '';
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    received += body;
    const { resourceSpans }: Export = JSON.parse(body);
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(read(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, service, attributes: read(span.attributes) });
    }
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    received: () => received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
