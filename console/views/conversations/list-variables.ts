/**
 * The variables of an agent as names and values. Each field of a record is a separate entry, such as `route › from`;
 * lists are written as JSON, and fields that are null are left out.
 */
export function listVariables(
  state: Readonly<Record<string, unknown>>,
  prefix = '',
): readonly (readonly [string, string])[] {
  return Object.entries(state).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const path = `${prefix}${name}`;
    if (isRecord(value)) return listVariables(value, `${path} › `);
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)] as const];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
