import { ERROR_CODES } from './error-codes.ts';
import type { LogFields } from './log.ts';
import type { RequestInfo } from './options.ts';
import { judgeOrigin, type OriginVerdict } from './origin-policy.ts';
import type { ProxyContext } from './proxy-context.ts';
import { isProxyFailure, ProxyFailure } from './proxy-failure.ts';
import { answerFailure, readCorrelationId } from './respond.ts';
import { type IncomingRequest, routeRequest } from './route-request.ts';
import { findRoute } from './route-table.ts';
import { traceRequest } from './trace-requests.ts';

/** Answers a request, writes a log line and, for a route of the API, a span. Never rejects. */
export async function answerRequest(
  proxy: ProxyContext,
  request: Request,
  info: RequestInfo,
): Promise<Response> {
  const startedAtMs = proxy.clock.now();
  const incoming = readIncoming(proxy, request, info);
  const respond = async (): Promise<Response> => {
    try {
      const response = await routeRequest(proxy, incoming);
      logAnswer(proxy, incoming, startedAtMs, response.status, null);
      return response;
    } catch (error) {
      const failure = toFailure(error, proxy);
      const response = answerRefusal(incoming, failure);
      logAnswer(proxy, incoming, startedAtMs, response.status, failure);
      return response;
    }
  };
  const { route, context } = incoming;
  const isTraced = route !== null && route.name !== 'health' && request.method !== 'OPTIONS';
  return isTraced ? await traceRequest(request, route.name, context.correlationId, respond) : await respond();
}

function readIncoming(
  { options, origins }: ProxyContext,
  request: Request,
  info: RequestInfo,
): IncomingRequest {
  const correlationId = readCorrelationId(request.headers);
  const verdict = judgeOrigin(request.headers, origins.listed);
  const path = readPath(request.url, options.basePath ?? '') ?? '';
  return {
    request,
    info,
    path,
    route: findRoute(path),
    context: { correlationId, origin: verdict.status === 'listed' ? verdict.origin : null },
    refusalContext: { correlationId, origin: readableOrigin(verdict) },
  };
}

/** The path below the mount point; null when the request is for somewhere else. */
function readPath(url: string, basePath: string): string | null {
  const { pathname } = new URL(url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : null;
}

/** The origin that may read a refusal; null for an opaque origin, which names no page. */
const readableOrigin = (verdict: OriginVerdict): string | null =>
  verdict.status === 'absent' || verdict.origin === 'null' ? null : verdict.origin;

/** Turns a thrown value into a refusal. Foreign texts are cleaned for the log and never shown to the caller. */
function toFailure(error: unknown, { describeFault }: ProxyContext): ProxyFailure {
  if (isProxyFailure(error)) return error;
  return new ProxyFailure(
    'INTERNAL',
    'The token proxy failed. Try again; if it lasts, report the correlation id.',
    {
      logFields: { fault: describeFault(error) },
      cause: error,
    },
  );
}

function answerRefusal({ context, refusalContext, route }: IncomingRequest, failure: ProxyFailure): Response {
  const isForeign = failure.code === 'ORIGIN_NOT_ALLOWED';
  const response = answerFailure(isForeign ? refusalContext : context, failure);
  // The rest of the body may still come; it must not be read as the next request. Source: RFC 9110, 15.5.9.
  if (failure.code === 'REQUEST_TIMEOUT') response.headers.set('Connection', 'close');
  if (failure.code === 'METHOD_NOT_ALLOWED' && route !== null) {
    response.headers.set('Allow', [...route.methods, 'OPTIONS'].join(', '));
  }
  return response;
}

function logAnswer(
  { log, clock }: ProxyContext,
  { context, route }: IncomingRequest,
  startedAtMs: number,
  status: number,
  failure: ProxyFailure | null,
): void {
  const fields: LogFields = {
    correlationId: context.correlationId,
    // The route's name, never the path: a path can hold whatever a caller puts there.
    route: route?.name ?? 'file',
    status,
    durationMs: clock.now() - startedAtMs,
    ...(failure === null ? {} : { code: failure.code, ...failure.logFields }),
  };
  if (failure === null) log.info(fields, 'answered');
  else if (failure.code === 'INTERNAL') log.error(fields, 'failed');
  else if (ERROR_CODES[failure.code].status >= 429) log.warn(fields, 'refused');
  else log.info(fields, 'refused');
}
