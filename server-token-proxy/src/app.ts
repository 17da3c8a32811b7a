import { findClientAddress, toAddressKey } from '@natter/sdk';
import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono';
import { serveEmbedFile } from './embed-files/serve-embed-file.ts';
import type { AdmittedRequest } from './http/admitted-request.ts';
import {
  type AnswerContext,
  answerFailure,
  answerJson,
  answerPreflight,
  answerStream,
  readCorrelationId,
} from './http/answers.ts';
import { logAnswer } from './http/log-answer.ts';
import { admitOrigin, judgeOrigin, type OriginVerdict } from './http/origin-policy.ts';
import { requireJsonContentType } from './http/read-body.ts';
import { DEFAULT_RETRY_AFTER_MS } from './kit/retry-policy.ts';
import { traceRequest } from './kit/trace-requests.ts';
import type { RequestInfo } from './options.ts';
import type { ProxyContext } from './proxy-context.ts';
import { ProxyFailure, toProxyFailure } from './proxy-failure.ts';
import { methodsOf, type PostRoute, ROUTES } from './routes.ts';

interface AppEnv {
  readonly Bindings: RequestInfo;
  readonly Variables: {
    readonly answer: AnswerContext;
    /**
     * Lets a page of another origin learn that it may not use the chat: its preflight passes, and its request is
     * refused with a readable body. Without this, the page would only see a network error.
     */
    readonly refusal: AnswerContext;
  };
}

/**
 * Makes the routes of one proxy. They answer every request, with a log line and, on API routes, in a span, and never
 * reject.
 */
export function createApp(proxy: ProxyContext): Hono<AppEnv> {
  const { options, origins } = proxy;
  const app = new Hono<AppEnv>({ getPath: ({ url }) => pathBelow(options.basePath ?? '', url) });
  // `answerAs` creates the refusals, because hooks may throw values other than `Error`, which Hono does not catch.
  app.onError((error) => {
    throw error;
  });
  for (const [path, route] of Object.entries(ROUTES)) {
    const { name, get, post, mayOmitOrigin } = route;
    const methods = methodsOf(route);
    const preflightHeaders = [...(post?.requestHeaders ?? []), ...(options.allowedHeaders ?? [])];
    app.use(path, answerAs(proxy, name, methods), async (c, next) => {
      const { refusal } = c.var;
      if (c.req.method === 'OPTIONS') {
        if (refusal.origin === null) admitOrigin(c.req.raw.headers, origins);
        return answerPreflight(refusal, methods, preflightHeaders);
      }
      if (!methods.includes(c.req.method))
        throw new ProxyFailure('METHOD_NOT_ALLOWED', `Use ${methods.join(' or ')} here.`);
      return await next();
    });
    if (post !== undefined) app.post(path, handlePost(proxy, post));
    if (get === undefined) continue;
    app.get(path, async (c) => {
      const { answer, refusal } = c.var;
      // Lets a page check whether it is admitted; monitors send no origin.
      if (mayOmitOrigin !== true || refusal.origin !== null) admitOrigin(c.req.raw.headers, origins);
      return answerJson(answer, 200, await get(proxy));
    });
  }
  app.all('*', answerAs(proxy, 'file', []), handleFile(proxy));
  return app;
}

/** Returns the path below the mount point, or `/`, which has no route, for a path outside it. */
function pathBelow(basePath: string, url: string): string {
  const { pathname } = new URL(url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '/';
}

/**
 * Converts exceptions of the next handlers to responses. The log line and the span contain a route name, because a path
 * can hold any text of a caller.
 */
const answerAs =
  (proxy: ProxyContext, name: string, methods: readonly string[]): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const startedAtMs = proxy.clock.now();
    const request = c.req.raw;
    const correlationId = readCorrelationId(request.headers);
    const verdict = judgeOrigin(request.headers, proxy.origins.listed);
    c.set('answer', { correlationId, origin: verdict.status === 'listed' ? verdict.origin : null });
    c.set('refusal', { correlationId, origin: readableOrigin(verdict) });
    const respond = async (): Promise<Response> => {
      const note = { correlationId, route: name };
      try {
        await next();
        logAnswer(proxy, note, startedAtMs, c.res.status, null);
        return c.res;
      } catch (error) {
        const failure = toProxyFailure(error, proxy.describeFault);
        const response = answerRefusal(c.var, failure, methods);
        logAnswer(proxy, note, startedAtMs, response.status, failure);
        return response;
      }
    };
    const isTraced = name !== 'file' && name !== 'health' && request.method !== 'OPTIONS';
    return isTraced ? await traceRequest(request, name, correlationId, respond) : await respond();
  };

/** The origin that may read a refusal; null for an opaque origin, which identifies no page. */
const readableOrigin = (verdict: OriginVerdict): string | null =>
  verdict.status === 'absent' || verdict.origin === 'null' ? null : verdict.origin;

function answerRefusal(
  { answer, refusal }: AppEnv['Variables'],
  failure: ProxyFailure,
  methods: readonly string[],
): Response {
  const response = answerFailure(failure.code === 'ORIGIN_NOT_ALLOWED' ? refusal : answer, failure);
  // The rest of the body may still arrive and must not be read as the next request. Source: RFC 9110, 15.5.9.
  if (failure.code === 'REQUEST_TIMEOUT') response.headers.set('Connection', 'close');
  if (failure.code === 'UPGRADE_REQUIRED') response.headers.set('Upgrade', 'websocket');
  if (failure.code === 'METHOD_NOT_ALLOWED')
    response.headers.set('Allow', [...methods, 'OPTIONS'].join(', '));
  return response;
}

/** Checks origin, content type and limits, then answers within the route's deadline. */
const handlePost =
  (proxy: ProxyContext, post: PostRoute): Handler<AppEnv> =>
  async (c) => {
    const { options, limits, clock } = proxy;
    const { answer } = c.var;
    const request = c.req.raw;
    const origin = admitOrigin(request.headers, proxy.origins);
    const requireContentType = post.requireContentType ?? requireJsonContentType;
    requireContentType(request.headers);
    const forwardedFor = request.headers.get('x-forwarded-for');
    const visitorAddress = findClientAddress(
      c.env.clientAddress,
      forwardedFor,
      options.trustedProxyHops ?? 0,
    );
    await limits.admit(post.limit, visitorAddress === null ? null : toAddressKey(visitorAddress));
    const limitMs = post.deadlineMs?.(proxy) ?? proxy.deadlineMs;
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limitMs)]);
    const budget = { signal, deadlineAtMs: clock.now() + limitMs };
    const { correlationId } = answer;
    const admitted: AdmittedRequest = { request, origin, correlationId, visitorAddress, budget };
    try {
      const { body, cookies = [] } = await post.handle(proxy, admitted);
      const response =
        body instanceof ReadableStream ? answerStream(answer, body) : answerJson(answer, 200, body);
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

const handleFile =
  ({ options: { readEmbedFile } }: ProxyContext) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const { method, path, raw } = c.req;
    const isRead = method === 'GET' || method === 'HEAD';
    const file =
      isRead && readEmbedFile !== undefined ? await serveEmbedFile(readEmbedFile, path.slice(1), raw) : null;
    if (file !== null) return file;
    throw new ProxyFailure('NOT_FOUND', 'There is nothing at this path. Check the endpoint in the page.');
  };
