/** The most similar known name, for messages; null when none is similar. */
export function nearestName(given: string, known: readonly string[]): string | null {
  // Longer than any known name, so comparing it would only waste time.
  if (given.length > 64) return null;
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(given);
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of known) {
    const slips = countSlips(wanted, plain(name));
    if (slips < least) [nearest, least] = [name, slips];
  }
  return nearest ?? known.find((name) => wanted.length > 2 && plain(name).includes(wanted)) ?? null;
}

/** Counts letters to insert, delete or replace. */
function countSlips(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const kept = (row[at - 1] ?? 0) + (other[at - 1] === letter ? 0 : 1);
      next.push(Math.min(kept, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
