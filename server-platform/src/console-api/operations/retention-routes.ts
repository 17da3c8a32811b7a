import { listProjects } from '../../accounts/index.ts';
import { countDue, MAX_COUNTED_DUE } from '../../records/erasure/index.ts';
import { HEAVY_COST } from '../../staff/index.ts';
import { type ConsoleRoute, consoleRoute, requireAccount } from '../console-call.ts';
import { retentionView } from './operations-schemas.ts';

// Counting due data costs a query per kind; an account with more projects sees the first ones.
const MAX_PROJECTS = 50;

/** How long projects keep their data. It is set in the configuration file or with `retention set`. */
export const RETENTION_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleRetention', method: 'GET', path: '/retention', role: 'admin' },
      cost: HEAVY_COST,
      summary: `For how many days each project keeps its data, and how much is due now (counted up to ${MAX_COUNTED_DUE}).`,
      answer: retentionView,
    },
    async (call) => {
      const { database, clock } = call.server;
      const list = (await listProjects(database, await requireAccount(call))).slice(0, MAX_PROJECTS);
      const projects = [];
      for (const { id, slug, name, retention } of list)
        projects.push({ slug, name, kinds: await countDue(database, id, retention, clock.now()) });
      return { projects, most_due: MAX_COUNTED_DUE };
    },
  ),
];
