import { CallError, callConsole, callDesk } from '../../call-platform.ts';
import { hrefOf } from '../../location.ts';
import { hasDesk, hasRole } from '../../session.ts';
import { type Command, nameOfLanguage, shortFormat } from '../../ui/index.ts';
import { select } from './desk-model.ts';
import type { DeskRequest, Found } from './desk-types.ts';

const NOTHING: Found = { requests: [], questions: {}, visitors: {} };

/** Shortest text that is looked up as the id of a conversation on record. */
const MIN_ID = /^[\w-]{16,}$/;

/**
 * Finds conversations with every word of a text: at the desk, those that the person may see. Supervisors also get the
 * conversation on record with that id, and a way to the search of all records.
 */
export async function findConversations(
  text: string,
  route: (href: string) => void,
  signal: AbortSignal,
): Promise<readonly Command[]> {
  const isSupervisor = hasRole('supervisor');
  const [found, recorded] = await Promise.all([
    hasDesk.value
      ? callDesk<Found>('GET', `/search?text=${encodeURIComponent(text)}`, undefined, signal)
      : NOTHING,
    isSupervisor && MIN_ID.test(text) ? isOnRecord(text, signal) : false,
  ]);
  const open = (id: string): void => {
    route(`${hrefOf('/desk')}#request=${encodeURIComponent(id)}`);
    select(id);
  };
  return [
    ...found.requests.map((request) => ({
      id: request.id,
      name: found.questions[request.conversation_id] ?? request.queue_name,
      detail: summarise(request, found.visitors[request.id]),
      group: 'Conversation',
      run: () => open(request.id),
    })),
    ...(recorded
      ? [
          {
            name: `Conversation ${text}`,
            group: 'Records',
            run: () => route(hrefOf(`/conversations/${encodeURIComponent(text)}`)),
          },
        ]
      : []),
    ...(isSupervisor
      ? [
          {
            name: `Search all conversations for “${text}”`,
            group: 'Records',
            run: () => route(hrefOf('/conversations', { query: text })),
          },
        ]
      : []),
  ];
}

async function isOnRecord(id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await callConsole('GET', `/conversations/${encodeURIComponent(id)}${location.search}`, { signal });
    return true;
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return false;
    throw error;
  }
}

function summarise(request: DeskRequest, visitor: string | undefined): string {
  const { queue_name: queue, person_name: person, requested_at: at, language, tags } = request;
  const time = new Date(at).toLocaleString([], shortFormat(at, Date.now()));
  return [visitor, queue, time, person, language && nameOfLanguage(language), ...tags]
    .filter(Boolean)
    .join(' · ');
}
