import { findClientAddress, toAddressKey } from '@natter/sdk';
import type { AdmittedRequest } from './admitted-request.ts';
import { serveEmbedFile } from './embed-files.ts';
import type { RequestInfo, TokenProxyOptions } from './options.ts';
import { admitOrigin } from './origin-policy.ts';
import type { ProxyContext } from './proxy-context.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { requireJsonContentType } from './read-json-request.ts';
import { type AnswerContext, answerJson, answerPreflight, answerStream } from './respond.ts';
import { DEFAULT_RETRY_AFTER_MS } from './retry-policy.ts';
import type { ApiRoute, PostRoute } from './route-table.ts';

/** A request, and the route at its path. */
export interface IncomingRequest {
  readonly request: Request;
  readonly info: RequestInfo;
  /** Null for a path that is none of the API's. */
  readonly route: ApiRoute | null;
  /** Below the mount point. */
  readonly path: string;
  readonly context: AnswerContext;
  /**
   * For telling a page of another origin that it may not use the chat. Its preflight passes and its request is
   * refused with a body it can read; without that, all it would learn is that the network failed.
   */
  readonly refusalContext: AnswerContext;
}

/** Answers a request by its path and method. Throws a `ProxyFailure` for every refusal. */
export async function routeRequest(proxy: ProxyContext, incoming: IncomingRequest): Promise<Response> {
  const { request, route, path, context, refusalContext } = incoming;
  const { options, origins } = proxy;
  if (route === null) return await answerFile(options, request, path);
  if (request.method === 'OPTIONS') {
    if (refusalContext.origin === null) admitOrigin(request.headers, origins);
    const ownHeaders = route.post?.requestHeaders ?? [];
    return answerPreflight(refusalContext, route.methods, [...ownHeaders, ...(options.allowedHeaders ?? [])]);
  }
  if (!route.methods.includes(request.method)) {
    throw new ProxyFailure('METHOD_NOT_ALLOWED', `Use ${route.methods.join(' or ')} here.`);
  }
  if (request.method === 'POST' && route.post !== undefined)
    return await answerPost(proxy, route.post, incoming);
  // A page learns here whether it is let in; monitors have no origin.
  const needsOrigin = route.mayOmitOrigin !== true || refusalContext.origin !== null;
  if (needsOrigin) admitOrigin(request.headers, origins);
  return answerJson(context, 200, await route.get?.(proxy));
}

async function answerFile(
  { readEmbedFile }: TokenProxyOptions,
  request: Request,
  path: string,
): Promise<Response> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const file =
    isRead && readEmbedFile !== undefined
      ? await serveEmbedFile(readEmbedFile, path.slice(1), request)
      : null;
  if (file !== null) return file;
  throw new ProxyFailure(
    'NOT_FOUND',
    'There is nothing at this path. Check the endpoint the page is set up with.',
  );
}

/** Checks the origin, the content type and the limits, then answers within the route's deadline. */
async function answerPost(
  proxy: ProxyContext,
  post: PostRoute,
  { request, info, context }: IncomingRequest,
): Promise<Response> {
  const { options, limits, clock } = proxy;
  const origin = admitOrigin(request.headers, proxy.origins);
  const requireContentType = post.requireContentType ?? requireJsonContentType;
  requireContentType(request.headers);
  const forwardedFor = request.headers.get('x-forwarded-for');
  const visitorAddress = findClientAddress(info.clientAddress, forwardedFor, options.trustedProxyHops ?? 0);
  await limits.admit(post.limit, visitorAddress === null ? null : toAddressKey(visitorAddress));
  const limitMs = post.deadlineMs?.(proxy) ?? proxy.deadlineMs;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limitMs)]);
  const budget = { signal, deadlineAtMs: clock.now() + limitMs };
  const { correlationId } = context;
  const admitted: AdmittedRequest = { request, origin, correlationId, visitorAddress, budget };
  try {
    const { body, cookies } = await post.handle(proxy, admitted);
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
}
