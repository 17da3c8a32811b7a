import { findClientAddress, toAddressKey } from '@natter/sdk';
import type { AdmittedRequest } from './admitted-request.ts';
import { type ApiRoutes, createApiRoutes } from './api-routes.ts';
import type { Upstream } from './call-upstream.ts';
import { findOptionProblems } from './check-options.ts';
import { systemClock } from './clock.ts';
import { serveEmbedFile } from './embed-files.ts';
import { ERROR_CODES } from './error-codes.ts';
import { createHealthProbe } from './health-probe.ts';
import { guardLog, type LogFields, silentLog } from './log.ts';
import type { RequestInfo, TokenProxy, TokenProxyOptions } from './options.ts';
import { judgeOrigin, normalizeOrigin, type OriginVerdict } from './origin-policy.ts';
import { isProxyFailure, ProxyFailure } from './proxy-failure.ts';
import { requireJsonContentType } from './read-json-request.ts';
import { createRedactor } from './redact.ts';
import { createLimitKeeper, DEFAULT_LIMITS } from './request-limits.ts';
import {
  type AnswerContext,
  answerFailure,
  answerJson,
  answerPreflight,
  answerStream,
  readCorrelationId,
} from './respond.ts';
import { type ApiRoute, LIMIT_OF, METHODS, ROUTES, selectDeadline } from './route-table.ts';
import { describeSearch } from './search-route.ts';
import { createSetupFindings, warnOfPrivateAddress } from './setup-findings.ts';
import { fetchTraced, traceRequest } from './trace-requests.ts';
import { describeUploads, requireFileContentType, UPLOAD_HEADERS } from './upload-route.ts';
import { trimBaseUrl } from './upstream-url.ts';
import { VERSION } from './version.ts';

interface Visit {
  readonly request: Request;
  readonly info: RequestInfo;
  readonly route: ApiRoute | null;
  readonly path: string;
  readonly context: AnswerContext;
  /**
   * For telling a page of another origin that it may not use the chat. Its preflight passes and its request is
   * refused with a body it can read; without that, all it would learn is that the network failed.
   */
  readonly refusalContext: AnswerContext;
}

/** The origin that may read a refusal; opaque origins are nobody in particular. */
const readableOrigin = (verdict: OriginVerdict): string | null =>
  verdict.status === 'absent' || verdict.origin === 'null' ? null : verdict.origin;

// Long enough for every retry of one call (1, 2 and 4 s) and short enough for somebody who waits.
const DEFAULT_DEADLINE_MS = 20_000;
const DEFAULT_ATTEMPT_TIMEOUT_MS = 6_000;
const HEALTH_TIMEOUT_MS = 3_000;
// How soon a page may ask again when the platform did not say.
const DEFAULT_RETRY_AFTER_MS = 5_000;

/** The path below the mount point; null when the request is for somewhere else. */
function readPath(url: string, basePath: string): string | null {
  const { pathname } = new URL(url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : null;
}

/**
 * Makes a token proxy: the small server that keeps connector tokens out of browsers. A web-standard handler; it needs `fetch`,
 * Web Crypto and nothing of Node.
 *
 * Promises: it answers every request and never rejects; one deadline bounds each request with all its upstream calls; no
 * secret appears in an answer, except the access token and the ticket for which the caller asked, nor in the log.
 * Throws when options are missing or wrong, naming all of them. Source: messaging.md 3.2, 3.4, HTTP-9, ST-3.
 *
 * @example
 * const proxy = createTokenProxy({
 *   upstreamUrl: 'https://messaging.example.com',
 *   connectors: { default: { token, host: 'www.example.com' } },
 *   ticketKeys: [ticketKey],
 *   allowedOrigins: ['https://www.example.com'],
 * });
 * const response = await proxy(request, { clientAddress });
 */
export function createTokenProxy(options: TokenProxyOptions): TokenProxy {
  const problems = findOptionProblems(options);
  if (problems.length > 0) {
    const lines = problems.map(({ option, problem }) => `- ${option} ${problem}`);
    throw new Error(`The token proxy cannot start with these options:\n${lines.join('\n')}`);
  }
  const clock = options.clock ?? systemClock;
  const log = guardLog(options.log ?? silentLog);
  const basePath = options.basePath ?? '';
  const deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS;
  const listed = new Set(options.allowedOrigins.map(normalizeOrigin).filter((origin) => origin !== null));
  const mayOmitOrigin = options.allowRequestsWithoutOrigin === true || options.authorize !== undefined;
  const secrets = Object.values(options.connectors).flatMap(({ token, chat }) =>
    chat === undefined ? [token] : [token, chat.apiKey],
  );
  const redact = createRedactor([...secrets, ...options.ticketKeys]);
  const limits = createLimitKeeper({ ...DEFAULT_LIMITS, ...options.limits }, options.createLimiter, log);
  const send = options.fetch ?? ((input: string, init: RequestInit) => fetch(input, init));
  const upstream: Upstream = {
    fetch: fetchTraced(send),
    clock,
    attemptTimeoutMs: options.attemptTimeoutMs ?? DEFAULT_ATTEMPT_TIMEOUT_MS,
  };
  const isPlatformUp = createHealthProbe({
    fetch: send,
    baseUrl: trimBaseUrl(options.upstreamUrl),
    clock,
    timeoutMs: HEALTH_TIMEOUT_MS,
  });
  const toFault = (error: unknown): string =>
    redact(error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : typeof error);
  const routes = createApiRoutes(
    options,
    upstream,
    isPlatformUp,
    limits.admitFileOf,
    createSetupFindings(options, log, clock),
    (hook, error, correlationId) => log.error({ hook, correlationId, fault: toFault(error) }, 'hook failed'),
  );
  warnOfPrivateAddress(options, log);

  /** The origin to bind a ticket to; throws `ORIGIN_NOT_ALLOWED`. */
  const admitOrigin = (headers: Headers): string | null => {
    const verdict = judgeOrigin(headers, listed);
    if (verdict.status === 'listed') return verdict.origin;
    if (verdict.status === 'absent' && mayOmitOrigin) return null;
    const origin = verdict.status === 'refused' ? verdict.origin : null;
    const shown = origin === null ? null : JSON.stringify(origin.slice(0, 200));
    const message =
      shown === null
        ? 'This request says no origin that is allowed to use this chat. Send it from a page whose origin is on the list of allowed origins.'
        : `The origin ${shown} is not allowed to use this chat. Whoever runs the token proxy can add it to the list of allowed origins.`;
    throw new ProxyFailure('ORIGIN_NOT_ALLOWED', message, {
      logFields: {
        origin: shown,
        reason: verdict.status === 'refused' ? verdict.reason : 'no Origin header',
      },
    });
  };

  const handOut = async (visit: Visit, route: keyof ApiRoutes): Promise<Response> => {
    const { request, info, context } = visit;
    const origin = admitOrigin(request.headers);
    if (route === 'upload') requireFileContentType(request.headers);
    else requireJsonContentType(request.headers);
    const forwardedFor = request.headers.get('x-forwarded-for');
    const visitorAddress = findClientAddress(info.clientAddress, forwardedFor, options.trustedProxyHops ?? 0);
    await limits.admit(LIMIT_OF[route], visitorAddress === null ? null : toAddressKey(visitorAddress));
    const limitMs = selectDeadline(route, deadlineMs, options.uploads);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limitMs)]);
    const budget = { signal, deadlineAtMs: clock.now() + limitMs };
    const { correlationId } = context;
    const admitted: AdmittedRequest = { request, origin, correlationId, visitorAddress, budget };
    try {
      const { body, cookies } = await routes[route](admitted);
      const response =
        body instanceof ReadableStream ? answerStream(context, body) : answerJson(context, 200, body);
      for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
      return response;
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
      throw new ProxyFailure(
        'UPSTREAM_UNAVAILABLE',
        'The chat service took too long to answer. Try again shortly.',
        {
          retryAfterMs: DEFAULT_RETRY_AFTER_MS,
          logFields: { reason: request.signal.aborted ? 'the caller went away' : 'the deadline passed' },
        },
      );
    }
  };

  const reportHealth = async (visit: Visit): Promise<Response> => {
    if (await isPlatformUp()) return answerJson(visit.context, 200, { status: 'ok', version: VERSION });
    throw new ProxyFailure('UPSTREAM_UNAVAILABLE', 'The chat service does not answer. Try again shortly.', {
      retryAfterMs: DEFAULT_RETRY_AFTER_MS,
    });
  };

  const dispatch = async (visit: Visit): Promise<Response> => {
    const { request, route, path } = visit;
    if (route === null) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const file =
        isRead && options.readEmbedFile !== undefined
          ? await serveEmbedFile(options.readEmbedFile, path.slice(1), request)
          : null;
      if (file !== null) return file;
      throw new ProxyFailure(
        'NOT_FOUND',
        'There is nothing at this path. Check the endpoint the page is set up with.',
      );
    }
    const methods = METHODS[route];
    if (request.method === 'OPTIONS') {
      const readable = visit.refusalContext;
      if (readable.origin === null) admitOrigin(request.headers);
      const ownHeaders = route === 'upload' ? UPLOAD_HEADERS : [];
      return answerPreflight(readable, methods, [...ownHeaders, ...(options.allowedHeaders ?? [])]);
    }
    if (!methods.includes(request.method)) {
      throw new ProxyFailure('METHOD_NOT_ALLOWED', `Use ${methods.join(' or ')} here.`);
    }
    if ((route === 'upload' || route === 'search') && request.method === 'GET') {
      admitOrigin(request.headers);
      const body = route === 'upload' ? describeUploads(options.uploads) : describeSearch(options.onSearch);
      return answerJson(visit.context, 200, body);
    }
    if (route !== 'health') return handOut(visit, route);
    // A page learns here whether it is let in; monitors have no origin.
    if (visit.refusalContext.origin !== null) admitOrigin(request.headers);
    return reportHealth(visit);
  };

  /** Turns whatever was thrown into a refusal. Foreign texts are cleaned for the log and never shown to the caller. */
  const toFailure = (error: unknown): ProxyFailure => {
    if (isProxyFailure(error)) return error;
    return new ProxyFailure(
      'INTERNAL',
      'The token proxy failed. Try again; if it lasts, report the correlation id.',
      {
        logFields: { fault: toFault(error) },
        cause: error,
      },
    );
  };

  const answerError = (
    visit: Pick<Visit, 'context' | 'refusalContext' | 'route'>,
    failure: ProxyFailure,
  ): Response => {
    const isForeign = failure.code === 'ORIGIN_NOT_ALLOWED';
    const response = answerFailure(isForeign ? visit.refusalContext : visit.context, failure);
    // The rest of the body may still come; it must not be read as the next request. Source: RFC 9110, 15.5.9.
    if (failure.code === 'REQUEST_TIMEOUT') response.headers.set('Connection', 'close');
    if (failure.code === 'METHOD_NOT_ALLOWED' && visit.route !== null) {
      response.headers.set('Allow', [...METHODS[visit.route], 'OPTIONS'].join(', '));
    }
    return response;
  };

  const record = (visit: Visit, startedAtMs: number, status: number, failure: ProxyFailure | null): void => {
    const fields: LogFields = {
      correlationId: visit.context.correlationId,
      // The route's name, never the path: a path can hold whatever a caller puts there.
      route: visit.route ?? 'file',
      status,
      durationMs: clock.now() - startedAtMs,
      ...(failure === null ? {} : { code: failure.code, ...failure.logFields }),
    };
    if (failure === null) log.info(fields, 'answered');
    else if (failure.code === 'INTERNAL') log.error(fields, 'failed');
    else if (ERROR_CODES[failure.code].status >= 429) log.warn(fields, 'refused');
    else log.info(fields, 'refused');
  };

  return async (request, info = {}) => {
    const startedAtMs = clock.now();
    const correlationId = readCorrelationId(request.headers);
    const verdict = judgeOrigin(request.headers, listed);
    const context = { correlationId, origin: verdict.status === 'listed' ? verdict.origin : null };
    const path = readPath(request.url, basePath) ?? '';
    const visit: Visit = {
      request,
      info,
      path,
      route: Object.hasOwn(ROUTES, path) ? (ROUTES[path] ?? null) : null,
      context,
      refusalContext: { correlationId, origin: readableOrigin(verdict) },
    };
    const respond = async (): Promise<Response> => {
      try {
        const response = await dispatch(visit);
        record(visit, startedAtMs, response.status, null);
        return response;
      } catch (error) {
        const failure = toFailure(error);
        const response = answerError(visit, failure);
        record(visit, startedAtMs, response.status, failure);
        return response;
      }
    };
    const { route } = visit;
    const isTraced = route !== null && route !== 'health' && request.method !== 'OPTIONS';
    return isTraced ? await traceRequest(request, route, correlationId, respond) : await respond();
  };
}
