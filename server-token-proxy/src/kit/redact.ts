const REPLACEMENT = '[redacted]';
const PATTERNS: readonly RegExp[] = [
  // Whole URLs, because their queries may contain tokens.
  /\b(?:https?|wss?):\/\/\S+/gi,
  /\bBearer\s+\S+/gi,
  // Compact JWT and JWE. The lookbehind keeps the pattern from trying every letter of a long run as the beginning.
  /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4}/g,
  // Keys, digests, session ids: long runs without a space.
  /[A-Za-z0-9_+/=-]{24,}/g,
];

/**
 * Makes a function that removes the given secrets from a text, and everything that looks like a token, a key or a URL.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, REPLACEMENT);
    for (const pattern of PATTERNS) clean = clean.replace(pattern, REPLACEMENT);
    return clean;
  };
}
