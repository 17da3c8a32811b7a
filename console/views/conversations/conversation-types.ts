import type { ConversationPage, Life } from '../../../server-platform/src/console-api/index.ts';

export type { ConversationPage, Life, PeoplePart } from '../../../server-platform/src/console-api/index.ts';

/** A conversation in a list. */
export type ConversationRow = ConversationPage['conversations'][number];

/** One step of a conversation's life. */
export type LifeStep = Life['steps'][number];
