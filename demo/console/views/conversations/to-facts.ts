/** The variables of an agent as names and values; what is no text is written as JSON. */
export function toFacts(state: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return Object.entries(state).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}
