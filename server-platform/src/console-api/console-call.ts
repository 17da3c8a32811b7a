import { errorText, NatterError, parseQuery, type Schema } from '@natter/sdk';
import {
  type Account,
  type AccountErrorCode,
  findAccountById,
  findProject,
  isAccountError,
  listProjects,
  type Project,
} from '../accounts/index.ts';
import type { AgentTimeouts } from '../agents/index.ts';
import type { ProjectAgents } from '../agents/projects/index.ts';
import type { AlertService } from '../api/alerts/index.ts';
import { isRestError, type RestError, type RestServices } from '../api/rest/index.ts';
import type { SpeakPreview } from '../api/voice/index.ts';
import type { WebhookService } from '../api/webhooks/index.ts';
import type { Desk, PersonStream } from '../desk/index.ts';
import type { Bus, Peers } from '../realtime/bus/index.ts';
import type { EventLog } from '../realtime/event-log/index.ts';
import type { ReadTraces } from '../realtime/trace/index.ts';
import type { ListSources } from '../records/conversations/index.ts';
import type { EraseOnRequest } from '../records/erasure/index.ts';
import {
  DeskError,
  type PeopleServer,
  type PersonCall,
  type PersonRoute,
  type PersonRouteInfo,
  writeAudit,
} from '../staff/index.ts';
import type { NodeReports } from './node-reports.ts';
import type { SiteChecks } from './site-check/site-checks.ts';

/** Services of the REST route groups that the console calls as well. */
export interface SharedServices {
  /** Dependencies of the lists of conversations. */
  readonly lists: ListSources;
  readonly alerts: AlertService;
  readonly webhooks: WebhookService;
  /** Sends the webhooks that were queued. */
  readonly deliverWebhooks: () => void;
  readonly speakPreview: SpeakPreview;
  readonly eraseOnRequest: EraseOnRequest;
}

/** Dependencies of console calls. */
export interface ConsoleServer
  extends PeopleServer,
    SharedServices,
    Pick<RestServices, 'settings' | 'notifyAgent' | 'searchInShare' | 'countRemoved' | 'countSlowReader'> {
  readonly bus: Bus;
  readonly peers: Peers;
  readonly nodeReports: NodeReports;
  readonly log: Pick<EventLog, 'readPage'>;
  /** Reads the nodes' traces of a session. */
  readonly readTraces: ReadTraces;
  readonly desk: Desk;
  /** Whether this platform can hand conversations to people. */
  readonly hasDesk: boolean;
  /** Address of the token proxy as browsers reach it, without a slash at its end; null: not known. */
  readonly tokenProxyUrl: string | null;
  readonly siteChecks: SiteChecks;
  readonly projectAgents: ProjectAgents;
  /** How long an agent may take. */
  readonly timeouts: AgentTimeouts;
  /** Ends the streams that are open, for the shutdown. */
  readonly streams: Set<PersonStream>;
}

/** A call of the console, its query and body read. */
export interface ConsoleCall<Body = undefined, Query = undefined>
  extends Omit<PersonCall<Body, ConsoleServer>, 'query'> {
  readonly query: Query;
  /** The query as it was sent. */
  readonly parameters: URLSearchParams;
  /** The project that `?project=` names by slug or id; default: the account's first. Fails with a 404. */
  readonly findProject: () => Promise<Project>;
}

/** A call that the console's page can make. */
export type ConsoleRoute = PersonRoute<ConsoleServer>;

type Info<Body, Query> = Omit<PersonRouteInfo, 'body' | 'query'> & {
  readonly body?: Schema<Body>;
  readonly query?: Schema<Query>;
};

/**
 * Makes a console call. Requires the role supervisor unless `role` says otherwise. Refusals of services are passed on
 * with their status and text.
 *
 * @example
 * consoleRoute(
 *   { id: 'consoleAlerts', method: 'GET', path: '/alerts', summary: 'Alerts that are active.' },
 *   async ({ server, person }) => ({ alerts: await server.alerts.listActive(person.accountId, {}) }),
 * );
 */
export function consoleRoute<Body = undefined, Query = undefined>(
  info: Info<Body, Query>,
  handle: (call: ConsoleCall<Body, Query>) => Promise<object | Response>,
): ConsoleRoute {
  return {
    role: 'supervisor',
    ...info,
    async handle(call) {
      // The application has read the body with this very schema; the types cannot follow that.
      const { query, body, ...rest } = call as PersonCall<Body, ConsoleServer>;
      try {
        return await handle({
          ...rest,
          body,
          parameters: query,
          query: readQuery(info.query, query) as Query,
          findProject: () => requireProject(rest, query.get('project')),
        });
      } catch (error) {
        throw toRefusal(error);
      }
    },
  };
}

const ACCOUNT_STATUS: Readonly<Record<AccountErrorCode, number>> = {
  invalid: 400,
  exists: 409,
  not_found: 404,
};

/** Converts refusals of the services that REST uses too, and of the accounts, to console errors. */
function toRefusal(error: unknown): unknown {
  if (isRestError(error) && error.status < 500) return new DeskError(error.status, error.code, textOf(error));
  if (isAccountError(error))
    return new DeskError(ACCOUNT_STATUS[error.code], error.code.toUpperCase(), error.message);
  return error;
}

/** The faults by field, or the error with the SDK's advice. */
function textOf({ status, code, message, errors }: RestError): string {
  return errors.length > 0 ? errorText(errors) : new NatterError({ status, code, text: message }).message;
}

/** Returns the account of the person who calls. Rejects with 404 if it was removed meanwhile. */
export async function requireAccount({
  server,
  person,
}: Pick<ConsoleCall<unknown, unknown>, 'server' | 'person'>): Promise<Account> {
  const account = await findAccountById(server.database, person.accountId);
  if (account === null) throw new DeskError(404, 'NOT_FOUND', 'This account no longer exists.');
  return account;
}

/** Records a change by the call's person in the audit log. */
export async function audit(
  { server, person }: Pick<ConsoleCall<unknown, unknown>, 'server' | 'person'>,
  action: string,
  subject: string,
): Promise<void> {
  const entry = { accountId: person.accountId, actor: person.email, action, subject };
  await writeAudit(server.database, entry, server.clock.now());
}

async function requireProject(
  call: Pick<ConsoleCall<unknown, unknown>, 'server' | 'person'>,
  reference: string | null,
): Promise<Project> {
  const account = await requireAccount(call);
  const { database } = call.server;
  const project =
    reference === null
      ? (await listProjects(database, account)).at(0)
      : await findProject(database, account, reference);
  if (!project)
    throw new DeskError(404, 'PROJECT_NOT_FOUND', 'There is no such project: see GET /console/api/me.');
  return project;
}

function readQuery<Query>(schema: Schema<Query> | undefined, parameters: URLSearchParams): Query | undefined {
  if (schema === undefined) return undefined;
  const parsed = parseQuery(schema, parameters);
  if (parsed.isOk) return parsed.value;
  throw new DeskError(400, 'INVALID', errorText(parsed.errors));
}
