/** Finds conversations on record: by filters, by words, by meaning; and keeps the vectors for that. */

export type { ListOrder } from './build-filter.ts';
export { type ListPosition, readCursor, writeCursor } from './conversation-cursor.ts';
export { type FoundPage, findPage, findRandom } from './find-page.ts';
export { createHashedEmbedder } from './hashed-embedder.ts';
export { createHttpEmbedder, type EmbeddingsEndpoint } from './http-embedder.ts';
export { openSemanticSearch, type SemanticSearch } from './semantic-search.ts';
