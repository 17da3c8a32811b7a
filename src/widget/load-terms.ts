import { retryImport } from '../client/index.ts';
import type { WidgetOptions } from './options.ts';

/** Puts what a site has to say before and beside a conversation before a client. */
export type MakeTerms = typeof import('./terms/index.ts').createTerms;

/** What a site has to say and to ask before a conversation. */
export type Terms = ReturnType<MakeTerms>;

/**
 * Fetches the part with consent, disclaimer and policy links; null for a site that has none of them. Rejects when it
 * cannot be fetched: a chat that needs consent must not begin without.
 */
export async function loadTerms(options: WidgetOptions): Promise<MakeTerms | null> {
  const { consent, disclaimer, policyLinks, localized, agentName, welcome, title } = options;
  // The part also cuts names, titles and greetings that are too long.
  const isTooLong = (text: string | undefined, max: number): boolean => (text ?? '').length > max;
  const isNeeded =
    consent ||
    disclaimer ||
    policyLinks ||
    localized ||
    isTooLong(agentName, 50) ||
    isTooLong(welcome, 100) ||
    isTooLong(title, 100);
  return isNeeded ? (await retryImport(() => import('./terms/index.ts'))).createTerms : null;
}
