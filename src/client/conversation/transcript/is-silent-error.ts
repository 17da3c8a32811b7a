import { SYSTEM_TEXTS } from '../../../protocol/index.ts';

const SILENT_TEXTS: readonly string[] = [
  SYSTEM_TEXTS.invalidFrame,
  SYSTEM_TEXTS.tooLarge,
  SYSTEM_TEXTS.sessionNotFound,
  SYSTEM_TEXTS.sessionUnavailable,
];

/**
 * True for protocol errors that the client handles silently or shows at a message. A lost conversation is recovered
 * silently; a failed join is shown. Source: messaging.md 12.1.
 */
export const isSilentError = (errorText: string): boolean =>
  SILENT_TEXTS.includes(errorText) ||
  errorText.startsWith(SYSTEM_TEXTS.notAllowed('')) ||
  /conversation (id )?not found/i.test(errorText);
