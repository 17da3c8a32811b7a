import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

// Spans are made and sent once the command line, or the server that the proxy is mounted in, has registered an SDK.
const tracer = trace.getTracer('@natter/token-proxy');

/**
 * Answers a request in a span, under the one that the page's headers name. Attributes hold the route's name, the status and
 * the correlation id: no path, no origin, no address and no token. Source: W3C Trace Context.
 */
export async function traceRequest(
  request: Request,
  route: string,
  correlationId: string,
  respond: () => Promise<Response>,
): Promise<Response> {
  const caller = propagation.extract(ROOT_CONTEXT, {
    traceparent: request.headers.get('traceparent') ?? undefined,
    tracestate: request.headers.get('tracestate') ?? undefined,
  });
  const attributes = {
    'http.request.method': request.method,
    'http.route': route,
    'natter.correlation_id': correlationId,
  };
  const options = { kind: SpanKind.SERVER, attributes };
  return await tracer.startActiveSpan(`${request.method} ${route}`, options, caller, async (span) => {
    try {
      const response = await respond();
      note(span, response.status, 500);
      return response;
    } finally {
      span.end();
    }
  });
}

/** Makes `send` pass the span of the request to the platform. */
export function fetchTraced(
  send: (input: string, init: RequestInit) => Promise<Response>,
): (input: string, init: RequestInit) => Promise<Response> {
  return (input, init) => {
    const method = init.method ?? 'GET';
    const attributes = { 'http.request.method': method, 'server.address': new URL(input).hostname };
    const options = { kind: SpanKind.CLIENT, attributes };
    return tracer.startActiveSpan(method, options, async (span) => {
      try {
        const response = await send(input, withTrace(init));
        note(span, response.status, 400);
        return response;
      } catch (error) {
        fail(span, error instanceof Error ? error.name : typeof error);
        throw error;
      } finally {
        span.end();
      }
    });
  };
}

/** Adds the headers of the caller's span, where there is one. */
function withTrace(init: RequestInit): RequestInit {
  const carried: Record<string, string> = {};
  propagation.inject(context.active(), carried);
  if (Object.keys(carried).length === 0) return init;
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(carried)) headers.set(name, value);
  return { ...init, headers };
}

function note(span: Span, status: number, failsFrom: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= failsFrom) fail(span, String(status));
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
