import { Hono } from 'hono';
import { SETUP_ERRORS, type SetupError } from 'natter/protocol';
import { isDatabaseError } from '../../db/index.ts';
import { commonHeaders, type PlatformEnv, refusalResponse, streamPieces } from '../../kit/http/index.ts';
import {
  type Outcome,
  refuse,
  type SetupCall,
  type SetupOptions,
  type SetupRefusal,
  SetupRequests,
} from './setup-requests.ts';
import type { VisitorData } from './visitor-data.ts';

/** An endpoint's handler and the name of its failure. */
interface SetupRoute {
  readonly path: string;
  readonly what: string;
  readonly failure: SetupError;
  readonly handle: (call: SetupCall) => Promise<Outcome>;
}

// `chunked`, so that no server buffers the whole body to determine its length.
const STREAMED_JSON = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
// Enough to write ten thousand rows once the database keeps up again.
const RETRY_AFTER_OVERLOAD_SECONDS = 5;

/** The POST endpoints of messaging.md section 3, below `/api/v1`. */
export function createSetupRoutes(options: SetupOptions): Hono<PlatformEnv> {
  const app = new Hono<PlatformEnv>();
  const requests = new SetupRequests(options);
  for (const { path, what, failure, handle } of listRoutes(requests, options.visitorData)) {
    app.post(path, async (context) => {
      const { correlationId, clientAddress: address } = context.var;
      let outcome: Outcome;
      try {
        // Stored in lower case; limits, sessions in memory and other nodes use no other spelling.
        const sessionId = (context.req.param('sessionId') ?? '').toLowerCase();
        outcome = await handle({ request: context.req.raw, address, sessionId });
      } catch (error) {
        options.onFailure(what, error, correlationId);
        outcome = refuseFailed(failure, error);
      }
      if ('error' in outcome) return refusalResponse({ ...outcome, correlationId });
      const headers = commonHeaders(correlationId);
      if ('pieces' in outcome)
        return new Response(streamPieces(outcome.pieces, requests.visitorDataQueue.runExclusive), {
          headers: { ...headers, ...STREAMED_JSON },
        });
      return outcome.status === 204
        ? new Response(null, { status: 204, headers })
        : Response.json(outcome.body, { status: outcome.status, headers });
    });
    app.options(path, (context) => preflightResponse(context.var.correlationId));
    app.all(path, (context) =>
      refusalResponse({
        error: SETUP_ERRORS.methodNotAllowed,
        correlationId: context.var.correlationId,
        headers: { Allow: 'POST, OPTIONS' },
      }),
    );
  }
  return app;
}

function listRoutes(requests: SetupRequests, data: VisitorData | undefined): readonly SetupRoute[] {
  const { tokenCreationFailed, sessionCreationFailed, internalError } = SETUP_ERRORS;
  const always: readonly SetupRoute[] = [
    {
      path: '/access-token',
      what: 'create an access token',
      failure: tokenCreationFailed,
      handle: (call) => requests.mintAccessToken(call),
    },
    {
      path: '/sessions',
      what: 'create a session',
      failure: sessionCreationFailed,
      handle: (call) => requests.createSession(call),
    },
    {
      path: '/sessions/:sessionId/context',
      what: 'store a verified context',
      failure: internalError,
      handle: (call) => requests.submitContext(call),
    },
  ];
  if (data === undefined) return always;
  return [
    ...always,
    {
      path: '/sessions/:sessionId/data',
      what: 'read the data of a visitor',
      failure: internalError,
      handle: (call) => requests.readVisitorData(call, data),
    },
    {
      path: '/sessions/:sessionId/erase',
      what: 'erase the data of a visitor',
      failure: internalError,
      handle: (call) => requests.eraseVisitorData(call, data),
    },
    {
      path: '/sessions/:sessionId/contact',
      what: 'store a contact request',
      failure: internalError,
      handle: (call) => requests.addContactRequest(call, data),
    },
  ];
}

/** Overload is temporary, so the caller should retry; other errors follow the endpoint's row. */
function refuseFailed(failure: SetupError, error: unknown): SetupRefusal {
  return isDatabaseError(error) && error.code === 'overloaded'
    ? { error: SETUP_ERRORS.rateLimited, retryAfterSeconds: RETRY_AFTER_OVERLOAD_SECONDS }
    : refuse(failure);
}

/** Source: HTTP-8. */
function preflightResponse(correlationId: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...commonHeaders(correlationId),
      'Access-Control-Allow-Methods': 'POST, OPTIONS',
      'Access-Control-Allow-Headers':
        'Content-Type, Accept, Authorization, X-Token, X-Host, X-Correlation-Id, X-PolyAI-Correlation-Id',
      'Access-Control-Max-Age': '600',
    },
  });
}
