import { pathOf, type RestRoute } from '../api/rest/index.ts';
import type { AnsweredRequest, RequestObserver } from '../kit/http/index.ts';
import type { ServerContext } from './server-context.ts';

/** Families of the routes that are no operations of REST, by how their patterns begin. */
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

/** Counts requests by family, and logs a line for each where the configuration asks for it. */
export function createRequestObserver(
  { config, metrics, logOf }: Pick<ServerContext, 'config' | 'metrics' | 'logOf'>,
  routes: readonly RestRoute[],
): RequestObserver {
  const families = new Map(routes.map(({ operation }) => [pathOf(operation), operation.family]));
  const familyOf = ({ route }: AnsweredRequest): string =>
    families.get(route) ?? OTHERS.find(([start]) => route.startsWith(start))?.[1] ?? 'other';
  const logger = logOf('requests');
  return {
    answered: (request) =>
      metrics.requestAnswered(familyOf(request), request.method, request.status, request.durationMs),
    sent: config.accessLog
      ? ({ method, route, status, durationMs, bytes, correlationId }) =>
          logger.info(
            { method, route, status, ms: Math.round(durationMs), bytes, requestId: correlationId },
            'request',
          )
      : null,
  };
}
