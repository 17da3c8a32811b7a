import type { ExtensionClientEvent } from './client-events.ts';
import type { CustomMap } from './server-events.ts';

/** Name of an extension in `capabilities.extensions`. Source: EXT-1. */
export type ExtensionName = 'cancel_handoff' | 'feedback' | 'stop' | 'survey_comment';

/** Extension that each client event belongs to. */
export const EXTENSION_OF: Readonly<Record<ExtensionClientEvent['type'], ExtensionName>> = {
  EVENT_TYPE_X_CANCEL_HANDOFF: 'cancel_handoff',
  EVENT_TYPE_X_STOP_RESPONSE: 'stop',
  EVENT_TYPE_X_FEEDBACK: 'feedback',
};

/** All extensions of this release. The platform offers them, and our client uses them where they are offered. */
export const EXTENSIONS: readonly ExtensionName[] = ['cancel_handoff', 'feedback', 'stop', 'survey_comment'];

/**
 * Name in `capabilities.extensions` of a connector that accepts receipts: a client may then send `USER_READ_MESSAGE`.
 * The client does not name it in its join. Source: EXT-8.
 */
export const RECEIPTS = 'receipts';

/** Types of extensions begin with this prefix, in both vocabularies. Source: EXT-2. */
export const EXTENSION_PREFIX = 'EVENT_TYPE_X_';

/** Key of the custom map of `REQUEST_AGENT_JOIN` under which a client names its extensions. Source: EXT-1. */
export const EXTENSIONS_KEY = 'natter_extensions';

/** Key of the custom map of `CSAT_RESPONSE` that holds the visitor's comment. Source: EXT-7. */
export const SURVEY_COMMENT_KEY = 'comment';

/** Reason of the HANDOFF_FAILED that follows a withdrawn request. Source: EXT-5. */
export const CANCELLED_BY_USER = 'cancelled_by_user';

/** Key of the custom map of the last chunk of an answer that the visitor stopped; its value is `true`. Source: EXT-4. */
export const STOPPED_KEY = 'stopped';

/** Returns the known extensions that a client names in the custom map of its join. Source: EXT-1. */
export function extensionsOf(custom: CustomMap | null): readonly ExtensionName[] {
  const names = custom?.[EXTENSIONS_KEY]?.split(',').map((name) => name.trim());
  return EXTENSIONS.filter((name) => names?.includes(name));
}
