import type { RestServices } from '../../api/rest/index.ts';
import { type NewExternalEvent, storeExternalEvent } from './external-waits-store.ts';

/**
 * Stores an event for the conversation that waits for it, and tells its agent. `not_valid`: the id is unknown, expired
 * or of another project, or its conversation is over; `too_many`: the conversation has as many as it may have. Source:
 * EE-4, EE-5.
 */
export async function receiveExternalEvent(
  { database, clock, notifyAgent }: Pick<RestServices, 'database' | 'clock' | 'notifyAgent'>,
  event: NewExternalEvent,
): Promise<'received' | 'not_valid' | 'too_many'> {
  const stored = await storeExternalEvent(database, event, clock.now());
  if (stored === 'not_valid' || stored === 'too_many') return stored;
  if (stored.sessionId !== null) notifyAgent(stored.sessionId);
  return 'received';
}
