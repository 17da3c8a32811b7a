/** Conversations on record. */
export { type ConversationsServices, startConversationsFamily } from './conversations-family.ts';
export { type TranslationEndpoint, translationSchema } from './translation/translation-endpoint.ts';
export type { EmbeddingsEndpoint } from './vectors/http-embedder.ts';
