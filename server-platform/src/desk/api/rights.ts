import { findProjectById } from '../../accounts/index.ts';
import type { Sql } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { findPersonById, findSignedIn, type Person, ROLES, type Role } from '../../staff/index.ts';
import { type DeskRequest, findRequest } from '../requests.ts';

/** The person whose rights are checked, and the object. */
export interface RightsQuery {
  /** Hash of the token of the sign-in. */
  readonly signIn: string;
  /** The minimum role. */
  readonly role: Role;
  /** The request whose conversation is shown; absent: none. */
  readonly requestId?: string | null;
  /** The project concerned; absent: that of the request. */
  readonly projectId?: string;
}

/** A person's current rights. */
export interface Rights {
  readonly person: Person;
  /** Whether the texts of the request's conversation, or else of the project, may be read. */
  readonly mayRead: boolean;
}

/** Why a stream of a person ends: signed out, disabled or removed, or without the role that it needs. */
export type RightsEnd = 'signed_out' | 'not_allowed';

/** The person of a sign-in; null: it has ended, or the person is disabled. */
export async function findPersonOf(sql: Sql, signIn: string, nowMs: number): Promise<Person | null> {
  const id = await findSignedIn(sql, signIn, nowMs);
  const person = id === null ? null : await findPersonById(sql, id);
  return person?.disabledAtMs === null ? person : null;
}

export function hasRole(person: Pick<Person, 'role'>, role: Role): boolean {
  return ROLES.indexOf(person.role) >= ROLES.indexOf(role);
}

/** Whether a person may see a request: their own and those waiting in their queues; supervisors see all. */
export function canSee({ id, role, queueIds }: Person, request: DeskRequest): boolean {
  if (role !== 'agent' || request.personId === id) return true;
  return request.status === 'waiting' && queueIds.includes(request.queueId);
}

/** Whether a person may read a request's conversation; with transcripts off, only the person who answers in it. */
export function canRead(person: Person, request: DeskRequest, showsTranscripts: boolean): boolean {
  if (!canSee(person, request)) return false;
  return showsTranscripts || (request.status === 'accepted' && request.personId === person.id);
}

/** Reads a person's current rights, for calls and open streams alike. */
async function readRights(sql: Sql, query: RightsQuery, nowMs: number): Promise<Rights | RightsEnd> {
  const person = await findPersonOf(sql, query.signIn, nowMs);
  if (person === null) return 'signed_out';
  if (!hasRole(person, query.role)) return 'not_allowed';
  const { requestId = null, projectId } = query;
  const request = requestId === null ? null : await findRequest(sql, person.accountId, requestId);
  const project = await findProjectById(sql, projectId ?? request?.projectId ?? '');
  const showsTranscripts = project?.conversations.showTranscripts ?? false;
  const mayRead =
    requestId === null ? showsTranscripts : request !== null && canRead(person, request, showsTranscripts);
  return { person, mayRead };
}

// Two seconds are promised, including the response.
const EVERY_MS = 1_000;

/** Dependencies of following a person's rights. */
export interface RightsPorts {
  readonly clock: Clock;
  readonly database: Sql;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** An open stream's view of its person's rights. */
export interface FollowedRights {
  readonly readRights: () => Promise<Rights | RightsEnd>;
  /** Reads them every second, because any node may change them. Returns a function that stops this. */
  readonly watchRights: (onRead: (rights: Rights | RightsEnd) => void) => () => void;
}

/** Follows the rights of a person. */
export function followRights(
  { clock, database, onFailure }: RightsPorts,
  query: RightsQuery,
): FollowedRights {
  const read = () => readRights(database, query, clock.now());
  return {
    readRights: read,
    watchRights(onRead) {
      let isOver = false;
      let cancel = (): void => {};
      const look = async (): Promise<void> => {
        try {
          const rights = await read();
          if (!isOver) onRead(rights);
        } catch (error) {
          onFailure('read what a person may see', error);
        }
        if (!isOver) wait();
      };
      const wait = (): void => {
        cancel = clock.setTimer(() => void look(), EVERY_MS);
      };
      wait();
      return () => {
        isOver = true;
        cancel();
      };
    },
  };
}

/**
 * Passes the response on while the person has the right to it, and aborts its body when that ends. `hasTexts`: the body
 * has texts of conversations.
 */
export function whileAllowed(
  { watchRights }: FollowedRights,
  answer: Response,
  { hasTexts = false }: { readonly hasTexts?: boolean } = {},
): Response {
  const ended = new AbortController();
  const stop = watchRights((rights) => {
    const reason = typeof rights !== 'string' && hasTexts && !rights.mayRead ? 'no_transcripts' : rights;
    if (typeof reason === 'string') ended.abort(new Error(`The person may not have the rest: ${reason}.`));
  });
  const pipe = new TransformStream<Uint8Array, Uint8Array>();
  const body = answer.body ?? new ReadableStream();
  body.pipeTo(pipe.writable, { signal: ended.signal }).then(stop, stop);
  return new Response(pipe.readable, answer);
}
