import { listProjects } from '../accounts/index.ts';
import { viewMe } from '../desk/index.ts';
import { type ConsoleRoute, consoleRoute, requireAccount } from './console-call.ts';
import { consoleMeView } from './console-schemas.ts';

/** The call that every page of the console begins with. */
export const ME_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleMe', method: 'GET', path: '/me', role: 'agent' },
      summary: 'The person who is signed in, and the projects of the account.',
      answer: consoleMeView,
    },
    async (call) => {
      const account = await requireAccount(call);
      const projects = await listProjects(call.server.database, account);
      return {
        me: viewMe(call.person),
        account: { id: account.id, name: account.name },
        projects: projects.map(({ id, slug, name, variants }) => ({
          ...{ id, slug, name },
          variants: variants.map((variant) => ({ id: variant.id, name: variant.name })),
        })),
        has_desk: call.server.hasDesk,
        token_proxy_url: call.server.tokenProxyUrl,
      };
    },
  ),
];
