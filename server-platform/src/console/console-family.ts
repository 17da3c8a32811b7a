import type { Bus } from '../bus/index.ts';
import type { EventLog } from '../db/index.ts';
import type { Desk, PersonCalls, PersonStream } from '../desk/index.ts';
import type { ProjectAgents } from '../knowledge/index.ts';
import type { FigureRecorder, ReadTraces } from '../messaging/index.ts';
import type { RestFamily, RestRoute, RestServices } from '../rest/index.ts';
import { createConsoleApp } from './console-app.ts';
import { createConsolePages, leadToConsole } from './console-pages.ts';
import { createInProcessClients } from './in-process-clients.ts';
import { NodeReports } from './node-reports.ts';

/** What the console is built from. */
export interface ConsoleServices extends RestServices {
  /** Null: no console is served. */
  readonly console: {
    readonly desk: Desk;
    readonly hasDesk: boolean;
    readonly testBenchUrl: string | null;
    /** Where the pages are served; null: here. */
    readonly consoleUrl: string | null;
  } | null;
  readonly personCalls: PersonCalls;
  /** The open streams of all people, with those of the desk. */
  readonly personStreams: Set<PersonStream>;
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'readPage'>;
  readonly figures: FigureRecorder;
  readonly readTraces: ReadTraces;
  readonly projectAgents: ProjectAgents;
}

/** The console: its page and its calls, which read the REST families of `routes`. */
export function startConsoleFamily(services: ConsoleServices, routes: readonly RestRoute[]): RestFamily {
  // Also without a console here: another node may serve one.
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
        streams: services.personStreams,
        nodeReports,
      }),
      '/console':
        services.console.consoleUrl === null
          ? createConsolePages(services.console.testBenchUrl)
          : leadToConsole(services.console.consoleUrl),
    },
    async close() {
      for (const stream of services.personStreams) stream.close();
      await nodeReports.close();
    },
  };
}
