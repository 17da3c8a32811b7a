// Capitals mixed with digits, or the text after "booking" or "ref": "KW7F2Q", "my booking 12345", "ref: kf7x2q".
const REFERENCES: readonly RegExp[] = [
  /\b(?:[A-Z]{2,4}-?\d{4,8}|(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{6})\b/,
  /\b(?:booking|reservation|reference|ref|order|confirmation|ticket)(?: (?:number|no|nr|code|reference|ref|id|is))*[ .:#-]{1,3}(?=[a-z-]*\d)[a-z\d-]{4,12}\b/i,
];
const WHOLE = /^\W*(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6}\W*$/i;

const MAX_CHARACTERS = 1_000;

/** The booking reference in a message as it was written, or null. */
export function findBookingReference(text: string): string | null {
  const said = text.slice(0, MAX_CHARACTERS);
  for (const pattern of [...REFERENCES, WHOLE]) {
    const found = pattern.exec(said)?.[0];
    if (found !== undefined) return found;
  }
  return null;
}

// "My booking ref is" asks nothing once the reference is taken out.
const ANNOUNCEMENT =
  /(?:\b(?:my|the|our|with|under)\s)?(?:\b(?:booking|reservation)\s)?\b(?:ref|reference|number|no|nr|code)\b[ .:#-]{0,3}(?:\bis\b)?[ .:#-]{0,3}$/i;
const ANNOUNCEMENT_CHARACTERS = 60;

/** Removes the reference from the message. Writes `booking` in its place unless the message names its kind. */
export function withoutBookingReference(text: string, reference: string): string {
  const start = text.indexOf(reference);
  if (start === -1) return text;
  const before = text.slice(0, start);
  const kept = before.slice(0, -ANNOUNCEMENT_CHARACTERS);
  const opening = `${kept}${before.slice(kept.length).replace(ANNOUNCEMENT, '')}`;
  const rest = `${opening} ${text.slice(start + reference.length)}`;
  return /booking|reservation|ticket/i.test(rest)
    ? rest
    : `${opening} booking ${text.slice(start + reference.length)}`;
}
