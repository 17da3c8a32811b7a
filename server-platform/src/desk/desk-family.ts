import type { RestFamily, RestServices } from '../api/rest/index.ts';
import type { Bus } from '../realtime/bus/index.ts';
import { coalesceReads, type EventLog } from '../realtime/event-log/index.ts';
import type { PersonCalls } from '../staff/index.ts';
import { createCheckSignIn, createOidcLimit, createOidcSignIn, type OidcConfig } from '../staff/index.ts';
import { createDeskApp } from './api/desk-app.ts';
import { createFilePage } from './api/file-page.ts';
import type { PersonStream } from './api/person-stream.ts';
import type { Desk } from './desk.ts';

/** Dependencies of the desk. */
export interface OwnDeskServices extends RestServices {
  /** Null: no handoff provider of the configuration is a desk. */
  readonly desk: Desk | null;
  /** Single sign-on; null: passwords only. */
  readonly oidc: OidcConfig | null;
  readonly personCalls: PersonCalls;
  /** The open streams of all people, including the console's, because browsers open only a few connections per host. */
  readonly personStreams: Set<PersonStream>;
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'readPage'>;
}

const EVERY_MS = 1_000;

/** The desk: its calls, and its due work. */
export function startDeskFamily(services: OwnDeskServices): RestFamily {
  const { desk, database, clock, scheduler } = services;
  if (desk === null) return { routes: [] };
  const signIns = {
    checkSignIn: createCheckSignIn(database, clock),
    oidc: services.oidc === null ? null : createOidcSignIn(services.oidc),
    limitOidc: createOidcLimit(clock),
  };
  const task = scheduler.every({
    what: 'do what is due at the desk',
    everyMs: EVERY_MS,
    onOneNode: true,
    run: () => desk.sweep(),
  });
  return {
    routes: [],
    pages: {
      '/files': createFilePage(database, clock),
      '/desk/api': createDeskApp({
        ...services,
        publicUrl: services.settings.publicUrl,
        desk,
        streams: services.personStreams,
        sharedReads: coalesceReads(database),
        ...signIns,
      }),
    },
    async close() {
      for (const stream of services.personStreams) stream.close();
      await task.stop();
    },
  };
}
