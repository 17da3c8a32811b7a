import { externalEventQuerySchema, externalEventSendOperation } from '@natter/sdk';
import type { RestFamily, RestServices } from '../../api/rest/index.ts';
import { projectRoute, REST_ERRORS, RestError } from '../../api/rest/index.ts';
import {
  dataOf,
  type EventBody,
  NOT_DECODABLE,
  type ReadEventBody,
  readEventBody,
  readJson,
} from './event-body.ts';
import { findEventId, readHeader } from './find-event-id.ts';
import { readForm } from './read-form.ts';
import { receiveExternalEvent } from './receive-external-event.ts';
import { runInSlices } from './run-in-slices.ts';

// The id has expired by then.
const ID_LIFETIME_SECONDS = 3_600;

/** External events: `POST /v1/external-events/webhook`. Source: section 6. */
export function createExternalEventsFamily(services: RestServices): RestFamily {
  const route = projectRoute(
    {
      operation: externalEventSendOperation,
      permissions: ['external_events'],
      projectFrom: 'query',
      query: externalEventQuerySchema,
      distinguish: readIdHeader,
    },
    async ({ request, query, project, readBytes }) => {
      const read = readEventBody(await readBytes(), request.headers.get('content-type'));
      if (read.status === 'refused') throw refusal(read.reason);
      const { contentType } = read;
      const body = await readWhole(read);
      const place = { headers: request.headers, query: new URL(request.url).searchParams, body };
      const eventId = await runInSlices(findEventId(place, query));
      // Source: EE-4.
      if (eventId === null) throw refusal('External event id not found in request');
      const event = { eventId, projectId: project.id, contentType, data: dataOf(body) };
      const outcome = await receiveExternalEvent(services, event);
      if (outcome === 'not_valid') throw refusal('External event id not valid');
      if (outcome === 'too_many') throw REST_ERRORS.rateLimited(ID_LIFETIME_SECONDS);
      // Source: EE-1.
      return null;
    },
  );
  return { routes: [route] };
}

/** Returns the event id from the configured header. */
function readIdHeader({ url, headers }: Request): string {
  const query = new URL(url).searchParams;
  const isInHeader = query.get('event_id_location') === 'headers';
  return isInHeader ? (readHeader(headers, query.get('event_id_path') ?? '') ?? '') : '';
}

async function readWhole(read: Exclude<ReadEventBody, { readonly status: 'refused' }>): Promise<EventBody> {
  if (read.status === 'read') return read.body;
  if (read.status === 'json') {
    const body = await runInSlices(readJson(read.text));
    if (typeof body === 'string') throw refusal(body);
    return body;
  }
  const fields = await runInSlices(readForm(read.form));
  if (fields === null) throw refusal(NOT_DECODABLE);
  return { kind: 'form', fields };
}

function refusal(text: string): RestError {
  return new RestError(400, 'SCHEMA_VALIDATION_FAILED', text);
}
