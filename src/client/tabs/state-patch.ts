import { type AppendMap, append, entriesOf } from '../transcript/append-map.ts';

type Fields = Readonly<Record<PropertyKey, unknown>>;
type Growing = AppendMap<unknown, unknown>;

/** The difference between two states, as plain data. */
export type Patch =
  | { readonly set: unknown }
  /** A text has grown. */
  | { readonly append: string }
  /** An append map has grown. */
  | { readonly add: readonly (readonly [unknown, unknown])[] }
  /** Some fields of an object, or elements of an array of that length, have changed. */
  | { readonly fields: Readonly<Record<string, Patch>>; readonly length?: number };

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isGrowing = (value: Fields): value is Fields & Growing => value['places'] instanceof Map;

const isSameKind = (before: Fields, after: Fields): boolean =>
  Array.isArray(after)
    ? Array.isArray(before)
    : !Array.isArray(before) && Object.keys(before).every((name) => name in after);

/**
 * Returns what turns one immutable state into a later one; null for no difference. Parts that both share are not looked
 * into, so that the cost is that of what has changed, and of one comparison for each element of a list.
 */
export function createPatch(before: unknown, after: unknown): Patch | null {
  if (Object.is(before, after)) return null;
  if (typeof before === 'string' && typeof after === 'string' && before && after.startsWith(before))
    return { append: after.slice(before.length) };
  if (!isObject(before) || !isObject(after) || !isSameKind(before, after)) return { set: after };
  if (isGrowing(before) && isGrowing(after))
    return before.shared === after.shared && before.reach <= after.reach
      ? { add: entriesOf<unknown, unknown>(after, before.reach) }
      : { set: after };
  const fields: Record<string, Patch> = {};
  let hasChanged = false;
  for (const name of Array.isArray(after) ? after.keys() : Object.keys(after)) {
    const patch = createPatch(before[name], after[name]);
    if (!patch) continue;
    fields[name] = patch;
    hasChanged = true;
  }
  if (!Array.isArray(after)) return hasChanged ? { fields } : null;
  const { length } = after;
  return hasChanged || length !== before['length'] ? { fields, length } : null;
}

/** The state after a patch; the one before stays as it was. */
export function applyPatch(before: unknown, patch: Patch): unknown {
  if ('set' in patch) return patch.set;
  if ('append' in patch) return `${before}${patch.append}`;
  if ('add' in patch)
    return patch.add.reduce<Growing>((map, [key, value]) => append(map, key, value), before as Growing);
  const after = Array.isArray(before) ? before.slice(0, patch.length) : { ...(before as object) };
  for (const [name, change] of Object.entries(patch.fields))
    Reflect.set(after, name, applyPatch(Reflect.get(after, name), change));
  return after;
}
