import { type EraseBody, eraseBodySchema, eraseOperation } from '@natter/sdk';
import type { Project } from '../../accounts/index.ts';
import type { RestFamily, RestServices } from '../../api/rest/index.ts';
import { projectRoute, RestError } from '../../api/rest/index.ts';
import type { StoredAudio } from '../../api/voice/index.ts';
import { type EraseSubject, erase } from './erase.ts';
import { Retention } from './retention.ts';

/** Route group that erases on request. */
export interface ErasureFamily extends RestFamily {
  readonly eraseOnRequest: EraseOnRequest;
}

/**
 * Erases data of a project with its audio, counts and logs it, and resolves with the rows by table. Refuses with a
 * `RestError`, among others when nothing is stored.
 */
export type EraseOnRequest = (
  project: Project,
  body: EraseBody,
  correlationId: string,
) => Promise<Readonly<Record<string, number>>>;

/** Erasure by API key, and the retention task. */
export function startErasureFamily(services: RestServices, audio: StoredAudio): ErasureFamily {
  const { searchInShare, database, clock, scheduler, note, onFailure, countRemoved } = services;
  const removeAudio = (): Promise<void> =>
    audio.removeErased((error) => onFailure('remove erased audio', error));
  const retention = new Retention({
    database,
    clock,
    scheduler,
    removeAudio,
    onRemoved: (counts) => countRemoved('retention', counts),
    onFailure,
  });
  const eraseOnRequest: EraseOnRequest = async (project, body, correlationId) => {
    const subject = readSubject(body);
    const removed = await searchInShare(project.accountId, () => erase(database, project, subject));
    if (removed === null) throw new RestError(404, 'NOTHING_TO_ERASE', NOTHING[subject.kind]);
    await removeAudio();
    countRemoved('erasure', removed.counts);
    note('erased on request', { kind: subject.kind, rows: removed.total, correlationId });
    return removed.counts;
  };
  const route = projectRoute(
    { operation: eraseOperation, permissions: ['erasure'], projectFrom: 'path', body: eraseBodySchema },
    async ({ project, body, correlationId }) => ({
      erased: await eraseOnRequest(project, body, correlationId),
    }),
  );
  return { routes: [route], eraseOnRequest, close: () => retention.close() };
}

/** Error of an erasure that finds nothing. */
const NOTHING: Readonly<Record<EraseSubject['kind'], string>> = {
  conversation: 'There is no such conversation in this project.',
  session: 'There is no such session in this project.',
  user: 'Nothing of this user is stored in this project.',
};

/** The schema allows exactly one of them. */
function readSubject({ conversation_id, session_id, user_id = '' }: EraseBody): EraseSubject {
  if (conversation_id !== undefined) return { kind: 'conversation', id: conversation_id };
  return session_id === undefined ? { kind: 'user', id: user_id } : { kind: 'session', id: session_id };
}
