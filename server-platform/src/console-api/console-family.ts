import type { ProjectAgents } from '../agents/published/index.ts';
import type { AlertService } from '../api/alerts/index.ts';
import type { RestFamily, RestRoute, RestServices } from '../api/rest/index.ts';
import type { WebhookService } from '../api/webhooks/index.ts';
import type { Desk, PersonStream } from '../desk/index.ts';
import type { Bus } from '../realtime/bus/index.ts';
import type { EventLog } from '../realtime/event-log/index.ts';
import type { FigureRecorder } from '../realtime/index.ts';
import type { ReadTraces } from '../realtime/trace/index.ts';
import type { ListSources } from '../records/conversations/index.ts';
import type { PersonCalls } from '../staff/index.ts';
import { createConsoleApp } from './console-app.ts';
import { createConsolePages, leadToConsole } from './console-pages.ts';
import { createInProcessClients } from './in-process-clients.ts';
import { NodeReports } from './node-reports.ts';
import { createSiteChecks } from './site-check/site-checks.ts';

/** Dependencies of the console. */
export interface ConsoleServices extends RestServices {
  /** Null: no console is served. */
  readonly console: {
    readonly desk: Desk;
    readonly hasDesk: boolean;
    /** Where the pages are served; null: here. */
    readonly consoleUrl: string | null;
    /** Address of the token proxy as browsers reach it; null: not known. */
    readonly tokenProxyUrl: string | null;
  } | null;
  readonly personCalls: PersonCalls;
  /** The open streams of all people, including the desk's. */
  readonly personStreams: Set<PersonStream>;
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'readPage'>;
  readonly figures: FigureRecorder;
  readonly readTraces: ReadTraces;
  readonly projectAgents: ProjectAgents;
  readonly lists: ListSources;
  readonly alerts: AlertService;
  readonly webhooks: WebhookService;
  /** Sends the webhooks that were queued. */
  readonly deliverWebhooks: () => void;
}

/** The console: its page and its calls, which read the REST families of `routes`. */
export function startConsoleFamily(services: ConsoleServices, routes: readonly RestRoute[]): RestFamily {
  // Even without a console here, because another node may serve one.
  const nodeReports = new NodeReports(services);
  if (services.console === null) return { routes: [], close: () => nodeReports.close() };
  const findClient = createInProcessClients(services, routes);
  return {
    routes: [],
    pages: {
      '/console/api': createConsoleApp({
        ...services,
        ...services.console,
        findClient,
        siteChecks: createSiteChecks(services.clock, services.settings.webhookPrivateAddresses),
        streams: services.personStreams,
        nodeReports,
      }),
      '/console':
        services.console.consoleUrl === null
          ? createConsolePages()
          : leadToConsole(services.console.consoleUrl),
    },
    async close() {
      for (const stream of services.personStreams) stream.close();
      await nodeReports.close();
    },
  };
}
