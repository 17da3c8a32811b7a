import type { ApiRoutes } from './api-routes.ts';
import type { LimitedKind } from './request-limits.ts';
import { DEFAULT_UPLOADS, type Uploads } from './upload-options.ts';

/** What the proxy answers besides files, by name. */
export type ApiRoute = keyof ApiRoutes | 'health';

/** The routes, by their paths below the mount point. */
export const ROUTES: Readonly<Record<string, ApiRoute>> = {
  '/v1/session': 'session',
  '/v1/resume': 'resume',
  '/v1/logout': 'logout',
  '/v1/probe': 'probe',
  '/v1/context': 'context',
  '/v1/upload': 'upload',
  '/v1/feedback': 'feedback',
  '/v1/data': 'data',
  '/v1/erase': 'erase',
  '/v1/contact': 'contact',
  '/v1/search': 'search',
  '/v1/chat/create': 'chatCreate',
  '/v1/chat/respond': 'chatRespond',
  '/v1/chat/close': 'chatClose',
  '/v1/health': 'health',
};
/** The methods of each route, besides OPTIONS. */
export const METHODS: Readonly<Record<ApiRoute, readonly string[]>> = {
  session: ['POST'],
  resume: ['POST'],
  logout: ['POST'],
  probe: ['POST'],
  context: ['POST'],
  upload: ['GET', 'POST'],
  feedback: ['POST'],
  data: ['POST'],
  erase: ['POST'],
  contact: ['POST'],
  search: ['GET', 'POST'],
  chatCreate: ['POST'],
  chatRespond: ['POST'],
  chatClose: ['POST'],
  health: ['GET', 'HEAD'],
};
/** Under which limit a route is counted. */
export const LIMIT_OF: Readonly<Record<keyof ApiRoutes, LimitedKind>> = {
  session: 'session',
  resume: 'resume',
  logout: 'resume',
  probe: 'resume',
  context: 'resume',
  upload: 'upload',
  feedback: 'resume',
  data: 'resume',
  erase: 'resume',
  contact: 'session',
  search: 'search',
  chatCreate: 'session',
  chatRespond: 'turn',
  chatClose: 'turn',
};
// An agent may need a model's whole answer; the client gives a message up after 35 s (DEL-4).
const TURN_DEADLINE_MS = 30_000;
// The agent is asked in after 5 s, with verified context or without (VCI-5).
const CONTEXT_DEADLINE_MS = 5_000;
/** How long a request of that route may take in all. */
export function selectDeadline(
  route: keyof ApiRoutes,
  deadlineMs: number,
  uploads: Uploads | undefined,
): number {
  switch (route) {
    case 'chatCreate':
    case 'chatRespond':
      return Math.max(deadlineMs, TURN_DEADLINE_MS);
    case 'context':
      return Math.min(deadlineMs, CONTEXT_DEADLINE_MS);
    case 'upload':
      return uploads?.deadlineMs ?? DEFAULT_UPLOADS.deadlineMs;
    default:
      return deadlineMs;
  }
}
