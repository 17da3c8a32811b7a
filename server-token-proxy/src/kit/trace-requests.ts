import { TraceContext } from '@natter/server-kit/trace-context';

/**
 * Handles a request in a span, whose parent is named by the page's headers. Attributes contain the route's name, the
 * status and the correlation id: no path, origin, address or token. Source: W3C Trace Context.
 */
export async function traceRequest(
  request: Request,
  route: string,
  correlationId: string,
  respond: () => Promise<Response>,
): Promise<Response> {
  const caller = TraceContext.from({
    traceparent: request.headers.get('traceparent') ?? undefined,
    tracestate: request.headers.get('tracestate') ?? undefined,
  });
  const attributes = {
    'http.request.method': request.method,
    'http.route': route,
    'natter.correlation_id': correlationId,
  };
  return await caller.span(
    `${request.method} ${route}`,
    attributes,
    async (span) => {
      const response = await respond();
      span.set({ 'http.response.status_code': response.status });
      if (response.status >= 500) span.fail(String(response.status));
      return response;
    },
    'server',
  );
}

/** Makes `send` pass the request's span to the platform. */
export function fetchTraced(
  send: (input: string, init: RequestInit) => Promise<Response>,
): (input: string, init: RequestInit) => Promise<Response> {
  return (input, init) => {
    const method = init.method ?? 'GET';
    return TraceContext.current().span(
      method,
      { 'http.request.method': method, 'server.address': new URL(input).hostname },
      async (span) => {
        const headers = new Headers(init.headers);
        for (const [name, value] of Object.entries(span.headers)) headers.set(name, value);
        const response = await send(input, { ...init, headers });
        span.set({ 'http.response.status_code': response.status });
        if (response.status >= 400) span.fail(String(response.status));
        return response;
      },
      'client',
    );
  };
}
