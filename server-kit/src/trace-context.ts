import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export type { Attributes };

/** Headers that carry a trace, by name in lower case. */
export type Carrier = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Which end of a request a span is. */
export type SpanSide = 'server' | 'client' | 'internal';

const KINDS: Readonly<Record<SpanSide, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

// The API hands out tracers that do nothing until an SDK is registered, by the command line or by the host process.
const tracer: Tracer = trace.getTracer('natter');

/**
 * A place in a trace: under it, spans begin. Without a registered SDK nothing is recorded, kept or sent.
 *
 * Attributes hold routes, statuses, codes, counts and ids of sessions. They never hold texts, tokens, queries or addresses
 * of visitors.
 */
export class TraceContext {
  /** Of no trace: a span under it begins a new one. */
  static readonly root: TraceContext = new TraceContext(ROOT_CONTEXT);
  readonly #context: Context;

  private constructor(place: Context) {
    this.#context = place;
  }

  /** Where the caller is. */
  static current(): TraceContext {
    return new TraceContext(context.active());
  }

  /** Where the span of the caller is; `null` when none is being recorded. */
  static recorded(): TraceContext | null {
    const active = context.active();
    return trace.getSpan(active)?.isRecording() === true ? new TraceContext(active) : null;
  }

  /** Where the sender of a request was; the root when its headers name no trace. Source: W3C Trace Context. */
  static from(headers: Carrier): TraceContext {
    return new TraceContext(propagation.extract(ROOT_CONTEXT, headers));
  }

  /** From what {@link traceParent} has given; `null` is the root. */
  static parse(traceParent: string | null): TraceContext {
    return traceParent === null ? TraceContext.root : TraceContext.from({ traceparent: traceParent });
  }

  /** The place as the header `traceparent`; `null` when it is in no trace. */
  get traceParent(): string | null {
    return this.headers()['traceparent'] ?? null;
  }

  /** The headers that lead another server to this place. */
  headers(): Readonly<Record<string, string>> {
    return headersOf(this.#context);
  }

  /** Runs work in a new span. A rejection fails the span and is passed on. */
  async span<T>(
    name: string,
    attributes: Attributes,
    work: (span: OpenSpan) => Promise<T>,
    kind: SpanSide = 'internal',
  ): Promise<T> {
    const span = this.begin(name, attributes, kind);
    try {
      return await span.within(() => work(span));
    } catch (error) {
      span.failWith(error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** Begins a span that the caller ends. */
  begin(name: string, attributes: Attributes, kind: SpanSide = 'internal'): OpenSpan {
    const span = tracer.startSpan(name, { attributes, kind: KINDS[kind] }, this.#context);
    const inside = trace.setSpan(this.#context, span);
    return new OpenSpan(span, inside);
  }

  /** Records work that is over. Both times are of `performance.now()`. */
  record(name: string, attributes: Attributes, startedAt: number, endedAt: number): void {
    tracer.startSpan(name, { attributes, startTime: startedAt }, this.#context).end(endedAt);
  }
}

/** A span that has begun. */
export class OpenSpan {
  readonly #span: Span;
  readonly #inside: Context;

  constructor(span: Span, inside: Context) {
    this.#span = span;
    this.#inside = inside;
  }

  /** What goes with a request that belongs to the span. */
  get headers(): Readonly<Record<string, string>> {
    return headersOf(this.#inside);
  }

  /** Runs work under the span. */
  within<T>(work: () => T): T {
    return context.with(this.#inside, work);
  }

  /** Replaces the name, for work whose name is known at its end. */
  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Marks the span as failed. `type` is a code or a status, never a text from outside. */
  fail(type: string): void {
    this.#span.setAttribute('error.type', type);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Marks the span as failed, by the code of the error or its class: its message may quote a user's text. */
  failWith(error: unknown): void {
    const hasCode = error instanceof Error && 'code' in error && typeof error.code === 'string';
    this.fail(hasCode ? String(error.code) : error instanceof Error ? error.name : typeof error);
  }

  end(): void {
    this.#span.end();
  }
}

function headersOf(place: Context): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(place, headers);
  return headers;
}
