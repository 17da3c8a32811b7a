/** Ids that are visible to callers. */
export { createConversationId } from './conversation-id.ts';
export { createEventId, createMessageId } from './event-id.ts';
export { newRandomId } from './random-id.ts';
export {
  createSessionId,
  createSessionIdOfDay,
  dayOf,
  FIRST_ID_WITHOUT_DAY,
  firstIdOfDay,
  startOfDay,
} from './session-id.ts';
