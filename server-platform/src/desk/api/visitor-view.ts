import type { InferOutput } from 'valibot';
import { listProjectsWithoutTranscripts } from '../../accounts/index.ts';
import type { deskNotes, Sql } from '../../db/index.ts';
import type { Person } from '../../staff/index.ts';
import type { Queue } from '../queues.ts';
import type { DeskRequest } from '../requests.ts';
import { listEarlier, type VisitorCard } from '../visitor-card.ts';
import type { visitorView } from './desk-schemas.ts';
import { readQuestions } from './read-questions.ts';
import { canSee } from './rights.ts';

interface Named {
  readonly queues: readonly Queue[];
  readonly people: readonly Person[];
}

/** The names of the queue and the person of a request. */
export function namesOf(
  { queueId, personId }: Pick<DeskRequest, 'queueId' | 'personId'>,
  { queues, people }: Named,
): { readonly queue_name: string; readonly person_name: string | null } {
  return {
    queue_name: queues.find(({ id }) => id === queueId)?.name ?? '',
    person_name: people.find(({ id }) => id === personId)?.name ?? null,
  };
}

/** A private note as people see it. */
export function viewNote({ id, personName, text, createdAt }: typeof deskNotes.$inferSelect): {
  readonly id: string;
  readonly text: string;
  readonly person_name: string;
  readonly created_at: string;
} {
  return { id, text, person_name: personName, created_at: toIso(createdAt) };
}

/** The visitor, for a person who may read the conversation. */
export async function viewVisitor(
  sql: Sql,
  person: Person,
  request: DeskRequest,
  { language, platform, deviceType, pages, user }: VisitorCard,
  names: Named,
): Promise<InferOutput<typeof visitorView>> {
  const earlier = user === null ? [] : await listEarlier(sql, request, user.id);
  const withheld = await listProjectsWithoutTranscripts(sql, person.accountId);
  const questions = withheld.has(request.projectId)
    ? {}
    : await readQuestions(
        sql,
        earlier.map(({ request: each }) => each),
      );
  return {
    ...{ language, platform, device_type: deviceType },
    pages: pages.map(({ page, atMs }) => ({ page, at: toIso(atMs) })),
    user: user === null ? null : { id: user.id, is_verified: user.isVerified },
    earlier: earlier.map(({ request: each, notes }) => {
      const mayOpen = canSee(person, each);
      // A visitor who claims to be another user must learn nothing about that user from a person who answers.
      const isShown = mayOpen || user?.isVerified === true;
      return {
        id: each.id,
        may_open: mayOpen,
        ...namesOf(each, names),
        requested_at: toIso(each.requestedAtMs),
        question: isShown ? (questions[each.conversationId] ?? '') : '',
        tags: isShown ? [...each.tags] : [],
        notes: isShown ? notes.map(viewNote) : [],
      };
    }),
  };
}

function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}
