import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { PlatformEnv } from './platform-app.ts';

/** A request and its response. */
export interface AnsweredRequest {
  /** `OTHER` for a nonstandard method. */
  readonly method: string;
  /** Pattern of the route, such as `/api/v1/sessions/:id`; `unmatched` for unknown paths. Never the path itself. */
  readonly route: string;
  readonly status: number;
  /** Until the response began. */
  readonly durationMs: number;
}

/** A request whose response was sent or aborted. */
export interface SentAnswer extends AnsweredRequest {
  /** Including the head. Null: unknown. */
  readonly bytes: number | null;
  readonly correlationId: string;
}

/** Observes requests, without their path, query, headers and body. */
export interface RequestObserver {
  answered(request: AnsweredRequest): void;
  /** Null: not needed. */
  readonly sent: ((answer: SentAnswer) => void) | null;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Returns a request's name without its path. Call it after the handler has run. */
export function nameRequest(context: Context<PlatformEnv>): Pick<AnsweredRequest, 'method' | 'route'> {
  const { method } = context.req;
  // Of the last handler that ran. Patterns that match everything belong to middleware.
  const pattern = routePath(context);
  return {
    method: METHODS.includes(method) ? method : 'OTHER',
    route: ['*', '/*'].includes(pattern) ? 'unmatched' : pattern,
  };
}

/** Reports each request to the observer. Must come after the middleware that sets the correlation id. */
export function observeRequests({ answered, sent }: RequestObserver): MiddlewareHandler<PlatformEnv> {
  return async (context, next) => {
    const startedAt = performance.now();
    const outgoing = context.env?.outgoing;
    const socket = context.env?.incoming?.socket;
    const bytesBefore = socket?.bytesWritten ?? 0;
    await next();
    const answer = {
      ...nameRequest(context),
      status: context.res.status,
      durationMs: performance.now() - startedAt,
    };
    answered(answer);
    if (sent === null) return;
    const { correlationId } = context.var;
    if (outgoing === undefined || !('once' in outgoing)) {
      sent({ ...answer, bytes: null, correlationId });
      return;
    }
    outgoing.once('close', () => {
      const bytes = socket === undefined ? null : socket.bytesWritten - bytesBefore;
      sent({ ...answer, bytes, correlationId });
    });
  };
}
