import { reserveNumberBodySchema, reserveNumberOperation } from '@natter/sdk';
import type { RestFamily, RestServices } from '../rest/index.ts';
import { projectRoute, RestError } from '../rest/index.ts';
import { reserveNumber } from './number-pool.ts';
import { createSimulatedCallRoute } from './simulated-call-route.ts';

/** Number reservation, and in development simulated calls to reserved numbers. Source: section 7. */
export function createNumbersFamily(services: RestServices): RestFamily {
  const { database, clock, settings } = services;
  const reserve = projectRoute(
    {
      operation: reserveNumberOperation,
      permissions: ['dni'],
      projectFrom: 'key',
      body: reserveNumberBodySchema,
    },
    async ({ project, body }) => {
      const dni = await reserveNumber(database, project.id, body.attributes, {
        nowMs: clock.now(),
        forSeconds: settings.dniReservationSeconds,
      });
      // Source: DN-3.
      if (dni === null) throw new RestError(404, 'NOT_FOUND', 'no available route found');
      return { dni };
    },
  );
  return { routes: settings.hasSimulatedCalls ? [reserve, createSimulatedCallRoute(services)] : [reserve] };
}
