import type { ProjectAgents } from '../agents/projects/index.ts';
import type { RestFamily, RestServices } from '../api/rest/index.ts';
import type { Desk, PersonStream } from '../desk/index.ts';
import type { Bus } from '../realtime/bus/index.ts';
import type { EventLog } from '../realtime/event-log/index.ts';
import type { FigureRecorder } from '../realtime/index.ts';
import type { ReadTraces } from '../realtime/trace/index.ts';
import type { PersonCalls } from '../staff/index.ts';
import { createConsoleApp } from './console-app.ts';
import type { SharedServices } from './console-call.ts';
import { createConsolePages, leadToConsole } from './console-pages.ts';
import { NodeReports } from './node-reports.ts';
import { createSiteChecks } from './site-check/site-checks.ts';

/** Dependencies of the console. */
export interface ConsoleServices extends RestServices, SharedServices {
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
}

/** The console: its page and its calls. */
export function startConsoleFamily(services: ConsoleServices): RestFamily {
  // Even without a console here, because another node may serve one.
  const nodeReports = new NodeReports(services);
  if (services.console === null) return { routes: [], close: () => nodeReports.close() };
  return {
    routes: [],
    pages: {
      '/console/api': createConsoleApp({
        ...services,
        ...services.console,
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
