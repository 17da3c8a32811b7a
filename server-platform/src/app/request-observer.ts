import type { Logger } from 'pino';
import { pathOf, type RestRoute } from '../api/rest/index.ts';
import type { AnsweredRequest, RequestObserver } from '../kit/http/index.ts';
import type { MessagingMetrics } from '../realtime/index.ts';

/** Route groups of routes outside the REST interface, by pattern prefix. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['/livez', 'probes'],
  ['/readyz', 'probes'],
  ['/healthz', 'probes'],
  ['/metrics', 'probes'],
  ['/ws', 'sessions'],
  ['/api/v1/', 'sessions'],
  ['/desk/', 'desk'],
  ['/console', 'console'],
];

/** Counts requests by route group, and logs each to `accessLog` if given. */
export function createRequestObserver(
  metrics: Pick<MessagingMetrics, 'requestAnswered'>,
  routes: readonly RestRoute[],
  accessLog: Logger | null,
): RequestObserver {
  const families = new Map(routes.map(({ operation }) => [pathOf(operation), operation.family]));
  const familyOf = ({ route }: AnsweredRequest): string =>
    families.get(route) ?? OTHERS.find(([start]) => route.startsWith(start))?.[1] ?? 'other';
  return {
    answered: (request) =>
      metrics.requestAnswered(familyOf(request), request.method, request.status, request.durationMs),
    sent:
      accessLog &&
      (({ method, route, status, durationMs, bytes, correlationId }) =>
        accessLog.info(
          { method, route, status, ms: Math.round(durationMs), bytes, requestId: correlationId },
          'request',
        )),
  };
}
