import { retryImport } from '../../client/index.ts';
import type { WidgetOptions } from '../options.ts';

/** Creates the terms of a site, with the gated client. */
export type MakeTerms = typeof import('../parts/terms/index.ts').createTerms;

/** Consent and legal texts of a site. */
export type Terms = ReturnType<MakeTerms>;

/**
 * Loads the part with consent, disclaimer, policy links and the site's own wording; resolves with `null` for a site without them. Rejects if it
 * cannot be loaded, because a chat that needs consent must not start without it.
 */
export async function loadTerms(options: WidgetOptions): Promise<MakeTerms | null> {
  const { consent, disclaimer, policyLinks, localized, strings, agentName, welcome, title, features } =
    options;
  // This part also shortens names, titles and greetings that are too long, leaves out those that are no texts, and
  // checks the site's wording.
  const isTooLong = (text: string | undefined, max: number): boolean => !((text ?? '').length <= max);
  const isNeeded =
    consent ||
    disclaimer ||
    policyLinks ||
    localized ||
    strings ||
    // Metadata about the visitor.
    /continue|details/.test(`${features}`) ||
    isTooLong(agentName, 50) ||
    isTooLong(welcome, 100) ||
    isTooLong(title, 100);
  return isNeeded ? (await retryImport(() => import('../parts/terms/index.ts'))).createTerms : null;
}
