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

/** Trace headers, by lower-case name. */
export type Carrier = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The side of a request that a span covers. */
export type SpanSide = 'server' | 'client' | 'internal';

const KINDS: Readonly<Record<SpanSide, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

// The API returns no-op tracers until the command line or the host process registers an SDK.
const tracer: Tracer = trace.getTracer('natter');

/**
 * A position in a trace, under which spans begin. Without a registered SDK nothing is recorded, stored or sent.
 *
 * Attributes contain routes, statuses, codes, counts and session ids, never texts, tokens, queries or visitors'
 * addresses.
 */
export class TraceContext {
  /** Outside of any trace: a span under it begins a new one. */
  static readonly root: TraceContext = new TraceContext(ROOT_CONTEXT);
  readonly #context: Context;

  private constructor(place: Context) {
    this.#context = place;
  }

  /** The caller's position. */
  static current(): TraceContext {
    return new TraceContext(context.active());
  }

  /** The position of the caller's span; `null` when none is recorded. */
  static recorded(): TraceContext | null {
    const active = context.active();
    return trace.getSpan(active)?.isRecording() === true ? new TraceContext(active) : null;
  }

  /** The position of a request's sender; the root if its headers name no trace. Source: W3C Trace Context. */
  static from(headers: Carrier): TraceContext {
    return new TraceContext(propagation.extract(ROOT_CONTEXT, headers));
  }

  /** Parses the result of {@link traceParent}; `null` is the root. */
  static parse(traceParent: string | null): TraceContext {
    return traceParent === null ? TraceContext.root : TraceContext.from({ traceparent: traceParent });
  }

  /** The position as the header `traceparent`; `null` outside of any trace. */
  get traceParent(): string | null {
    return this.headers()['traceparent'] ?? null;
  }

  /** Headers that pass this position to another server. */
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

  /** Begins a span that the caller must end. */
  begin(name: string, attributes: Attributes, kind: SpanSide = 'internal'): OpenSpan {
    const span = tracer.startSpan(name, { attributes, kind: KINDS[kind] }, this.#context);
    const inside = trace.setSpan(this.#context, span);
    return new OpenSpan(span, inside);
  }

  /** Records completed work. Both times are from `performance.now()`. */
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

  /** Headers for a request that belongs to the span. */
  get headers(): Readonly<Record<string, string>> {
    return headersOf(this.#inside);
  }

  /** Runs work under the span. */
  within<T>(work: () => T): T {
    return context.with(this.#inside, work);
  }

  /** Renames the span, for work whose name is known only at its end. */
  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Marks the span as failed. `type` is a code or a status, never an external text. */
  fail(type: string): void {
    this.#span.setAttribute('error.type', type);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Marks the span as failed with the error's code or class, because its message may quote a user's text. */
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
