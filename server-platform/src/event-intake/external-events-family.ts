import { externalEventQuerySchema, externalEventSendOperation } from '@natter/sdk';
import { storeExternalEvent } from '../external-events/index.ts';
import type { RestFamily, RestServices } from '../rest/index.ts';
import { projectRoute, RestError } from '../rest/index.ts';
import { dataOf, type EventBody, readEventBody } from './event-body.ts';
import { findEventId } from './find-event-id.ts';
import { inSlices } from './in-slices.ts';
import { readForm } from './read-form.ts';

/** External events: `POST /v1/external-events/webhook`. Source: section 6. */
export function createExternalEventsFamily({ database, clock, tellAgent }: RestServices): RestFamily {
  const route = projectRoute(
    {
      operation: externalEventSendOperation,
      permissions: ['external_events'],
      projectFrom: 'query',
      query: externalEventQuerySchema,
    },
    async ({ request, query, project, readBytes }) => {
      const read = readEventBody(await readBytes(), request.headers.get('content-type'));
      if (read.status === 'refused') throw refusal(read.reason);
      const { contentType } = read;
      const body: EventBody =
        read.status === 'form' ? { kind: 'form', fields: await inSlices(readForm(read.text)) } : read.body;
      const place = { headers: request.headers, query: new URL(request.url).searchParams, body };
      const eventId = await inSlices(findEventId(place, query));
      // Source: EE-4.
      if (eventId === null) throw refusal('External event id not found in request');
      const event = { eventId, projectId: project.id, contentType, data: dataOf(body) };
      const stored = await storeExternalEvent(database, event, clock.now());
      if (stored === 'not_valid') throw refusal('External event id not valid');
      if (stored.sessionId !== null) tellAgent(stored.sessionId);
      // Source: EE-1.
      return null;
    },
  );
  return { routes: [route] };
}

function refusal(text: string): RestError {
  return new RestError(400, 'SCHEMA_VALIDATION_FAILED', text);
}
