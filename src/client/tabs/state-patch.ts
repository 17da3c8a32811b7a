import { isFields } from '../../protocol/index.ts';
import { type AppendMap, append, entriesOf } from '../conversation/transcript/append-map.ts';

type Fields = Readonly<Record<PropertyKey, unknown>>;
type Growing = AppendMap<unknown, unknown>;

/** The difference between two states, as plain data. */
export type Patch =
  | { readonly set: unknown }
  /** Text was appended. */
  | { readonly append: string }
  /** Entries were added to an append map. */
  | { readonly add: readonly (readonly [unknown, unknown])[] }
  /** Some fields of an object, or elements of an array of that length, have changed. */
  | { readonly fields: Readonly<Record<string, Patch>>; readonly length?: number };

/**
 * Returns the patch between two immutable states; null for no difference. Shared parts are not traversed, so that the
 * cost is the changed part, and one comparison per list element.
 */
export function createPatch(before: unknown, after: unknown): Patch | null {
  if (Object.is(before, after)) return null;
  if (typeof before === 'string' && typeof after === 'string' && before && after.startsWith(before))
    return { append: after.slice(before.length) };
  const isList = Array.isArray(before) && Array.isArray(after);
  if (!isList && !(isFields(before) && isFields(after))) return { set: after };
  const [from, to] = [before as Fields, after as Fields];
  if (to['indexes'] instanceof Map) {
    const [older, newer] = [before as unknown as Growing, after as unknown as Growing];
    return older.shared === newer.shared && older.size <= newer.size
      ? { add: entriesOf(newer, older.size) }
      : { set: after };
  }
  if (!isList && Object.keys(from).some((name) => !(name in to))) return { set: after };
  const fields: Record<string, Patch> = {};
  let hasChanged = isList && before.length !== after.length;
  const note = (name: PropertyKey): void => {
    const patch = createPatch(from[name], to[name]);
    if (!patch) return;
    Reflect.set(fields, name, patch);
    hasChanged = true;
  };
  // Nearly all elements of a long list are unchanged.
  if (isList) {
    for (let at = 0; at < after.length; at += 1) if (before[at] !== after[at]) note(at);
  } else Object.keys(to).forEach(note);
  return hasChanged ? { fields, ...(isList && { length: after.length }) } : null;
}

/** Applies a patch without changing the previous state. */
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
