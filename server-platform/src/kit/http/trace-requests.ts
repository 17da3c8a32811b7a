import { TraceContext } from '@natter/server-kit/trace-context';
import type { MiddlewareHandler } from 'hono';
import { nameRequest } from './observe-requests.ts';
import type { PlatformEnv } from './platform-app.ts';

/** Handles each request in a span, whose parent is named by the request's headers. */
export const traceRequests: MiddlewareHandler<PlatformEnv> = async (context, next) => {
  const caller = TraceContext.from({
    traceparent: context.req.header('traceparent'),
    tracestate: context.req.header('tracestate'),
  });
  await caller.span(
    'request',
    { 'natter.correlation_id': context.var.correlationId },
    async (span) => {
      await next();
      const { method, route } = nameRequest(context);
      const { status } = context.res;
      span.rename(`${method} ${route}`);
      span.set({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.fail(String(status));
    },
    'server',
  );
};
