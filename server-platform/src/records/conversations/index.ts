/** Conversations on record. */
export { type ConversationPage, hasConversation, readConversationPage } from './conversation-page.ts';
export { type ConversationsServices, startConversationsFamily } from './conversations-family.ts';
export type { ListSources } from './list-conversations.ts';
export { type LiveConversation, type LiveList, listLive, MAX_LIVE } from './list-live.ts';
export { type ConversationRow, listRows } from './list-rows.ts';
export { writeLines } from './write-lines.ts';
