import type { TranslatePassage } from '../../agents/index.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import { translateText } from './translate-text.ts';
import type { TranslationEndpoint } from './translation-endpoint.ts';

// A visitor waits for it, and reads the passage as it is after that.
const WAIT_MS = 10_000;

// Passages of a few hundred articles in some languages, of at most a few thousand characters each.
const MAX_KEPT = 500;

/** Translates passages of articles by the endpoints of projects, whose ids are the keys, and keeps the latest ones. */
export function createPassageTranslator(
  endpoints: ReadonlyMap<string, TranslationEndpoint>,
): TranslatePassage {
  const client = createOutboundClient({ allowsPrivateAddresses: true });
  const kept = new Map<string, string>();
  return async (projectId, text, language, signal) => {
    const endpoint = endpoints.get(projectId);
    if (endpoint === undefined) return null;
    const key = JSON.stringify([projectId, language, text]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
    const translated = await translateText(endpoint, { text, language, signal: limited }, client);
    const [oldest] = kept.keys();
    if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(key, translated);
    return translated;
  };
}
