/** Finds recorded conversations by filters, words or meaning, and maintains their vectors. */

export type { ListOrder } from './build-filter.ts';
export { type ListPosition, readCursor, writeCursor } from './conversation-cursor.ts';
export { type FoundPage, findPage, findRandom } from './find-page.ts';
export { createHashedEmbedder } from './hashed-embedder.ts';
export { createHttpEmbedder, type EmbeddingsEndpoint } from './http-embedder.ts';
export { readVectorBacklog } from './pending-vectors.ts';
export { openSemanticSearch, type SemanticSearch } from './semantic-search.ts';
