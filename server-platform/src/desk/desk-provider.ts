import { eq } from 'drizzle-orm';
import { findProjectById } from '../accounts/index.ts';
import { type Database, queryBuilder, sessions } from '../db/index.ts';
import { type DeskConfig, OpenHandoffs } from '../handoff/providers/index.ts';
import {
  type HandoffLink,
  HandoffRefusedError,
  type HandoffRequest,
  type HandoffSession,
  type ServerHandoffProvider,
} from '../handoff/session/index.ts';
import type { Clock } from '../kit/clock.ts';
import { closedText } from './closed-text.ts';
import type { Desk } from './desk.ts';
import { chooseQueue, isQueueOpen, listQueues, type Queue } from './queues.ts';
import { countUnread, countWaiting, type DeskRequest, findOpenRequest, noteMessageSeen } from './requests.ts';

/** Options of the desk's handoff provider. */
export interface DeskProviderOptions {
  readonly name: string;
  readonly config: DeskConfig;
  readonly desk: Desk;
  readonly database: Database;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

// Per account. Every desk reads all of them.
const MAX_WAITING = 1_000;

type Place = Pick<DeskRequest, 'id' | 'accountId' | 'projectId'>;

/** Hands conversations over to the desk's staff. */
export function createDeskProvider(options: DeskProviderOptions): ServerHandoffProvider {
  const { name, desk, database, clock } = options;
  return {
    managed: 'server',
    serves: (request) => request.provider === name,
    async open(request, session) {
      const { project, queues, language } = await findSurroundings(database, request);
      const queue = chooseQueue(queues, [request.queueName, request.destination], language);
      if (queue === null) {
        throw new HandoffRefusedError(
          'The desk has no queue. Add one: natter-platform queue set ACCOUNT NAME',
        );
      }
      if (!isQueueOpen(queue, clock.now())) {
        await session.failed('closed', closedText(queue, language, clock.now()));
        return createClosedLink();
      }
      if ((await countWaiting(database, project.accountId)) >= MAX_WAITING) {
        throw new HandoffRefusedError(`The desk has ${MAX_WAITING} requests that wait: as many as it takes.`);
      }
      const opened = createRequest(options, request, project.accountId, queue, language);
      const link = createLink(options, request.sessionId, opened, session);
      try {
        await desk.add(opened);
      } catch (error) {
        desk.open.remove(opened.id);
        throw error;
      }
      return link;
    },
    async resume({ sessionId, reference }, session) {
      const place = isOwn(reference, name)
        ? reference.place
        : // The process died before it had stored the reference.
          reference === null
          ? await findOpenRequest(database, sessionId, name)
          : null;
      return place === null ? null : createLink(options, sessionId, place, session);
    },
  };
}

async function findSurroundings(database: Database, { projectId, sessionId }: HandoffRequest) {
  const project = await findProjectById(database, projectId);
  if (project === null) throw new HandoffRefusedError('The project is gone.');
  const [session] = await queryBuilder(database)
    .select({ language: sessions.language })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return {
    project,
    queues: await listQueues(database, project.accountId),
    language: session?.language ?? null,
  };
}

function createRequest(
  { name, config, clock }: DeskProviderOptions,
  { sessionId, conversationId, projectId, reason, data }: HandoffRequest,
  accountId: string,
  queue: Queue,
  language: string | null,
): DeskRequest {
  const id = OpenHandoffs.newId(sessionId);
  const skills = Array.isArray(data['skills']) ? data['skills'].map(String) : [];
  return {
    ...{ id, accountId, projectId, sessionId, conversationId, provider: name, queueId: queue.id },
    ...{ status: 'waiting', personId: null, wantedPersonId: null, declined: {}, skills, language, reason },
    ...{
      requestedAtMs: clock.now(),
      offerExpiresAtMs: null,
      acceptedAtMs: null,
      endedAtMs: null,
      endReason: null,
    },
    ...{ offerMs: config.offerMs, returnMs: config.returnMs, position: null, estimatedWaitSeconds: null },
    ...{ unread: 0, seenMessageId: null, tags: [], version: 0 },
    leftAtMs: null,
    pending: [{ id: `${id}:0:0`, event: { type: 'accepted', queue_name: queue.name } }],
  };
}

/** The session's side of a request. */
function createLink(
  { name, desk, database, onFailure }: DeskProviderOptions,
  sessionId: string,
  { id, accountId, projectId }: Place,
  session: HandoffSession,
): HandoffLink {
  desk.open.add(id, { projectId, session });
  return {
    reference: { provider: name, place: { id, accountId, projectId } },
    async sendMessage() {
      // The log has the message: desks read it there.
      await countUnread(database, id);
      desk.announce(accountId);
    },
    sendTyping: (state) => desk.announceTyping(sessionId, state),
    sendRead(messageId) {
      noteMessageSeen(database, id, messageId)
        .then((isNews) => {
          if (isNews) desk.announce(accountId);
        })
        .catch((error: unknown) => onFailure('note what a visitor has seen', error));
    },
    close(reason) {
      desk.open.remove(id);
      // The handoff continues after a restart.
      if (reason === 'shutdown') return;
      desk
        .step(accountId, id, { type: 'close', reason }, null)
        .catch((error: unknown) => onFailure('close a request at the desk', error));
    },
  };
}

/** For requests outside the hours, whose handoff has already failed. */
function createClosedLink(): HandoffLink {
  return {
    reference: null,
    sendMessage: () => Promise.reject(new Error('The desk is closed.')),
    sendTyping() {},
    close() {},
  };
}

function isOwn(reference: unknown, name: string): reference is { readonly place: Place } {
  return (
    typeof reference === 'object' &&
    reference !== null &&
    Reflect.get(reference, 'provider') === name &&
    typeof Reflect.get(reference, 'place') === 'object'
  );
}
