import type { ConversationPage, Timeline } from '../../../server-platform/src/console-api/index.ts';

export type {
  ConversationPage,
  PeoplePart,
  Timeline,
} from '../../../server-platform/src/console-api/index.ts';

/** A conversation in a list. */
export type ConversationRow = ConversationPage['conversations'][number];

/** One step of a conversation's life. */
export type TimelineStep = Timeline['steps'][number];
