import type { CustomMap } from '../../protocol/index.ts';

/** The page's metadata about its visitor: flat and small. Omits null and undefined. */
export type PageFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Two of a frame's sixteen keys are reserved for the client. Source: MET-2, MET-4. */
const MAX_KEYS = 14;
const MAX_KEY_BYTES = 64;
const MAX_VALUE_BYTES = 1024;
const RESERVED = /^(client_event_id|local_id)$/;

/** Adds the attributes whose names `custom` does not have, as long as a frame has room for them. */
export function addFitting(custom: CustomMap, added: CustomMap): CustomMap {
  const room = MAX_KEYS - Object.keys(custom).length;
  const others = Object.entries(added).filter(([key]) => !Object.hasOwn(custom, key));
  return { ...custom, ...Object.fromEntries(others.slice(0, Math.max(0, room))) };
}

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/**
 * Converts a page's metadata to a frame's. Throws a `TypeError` that names invalid attributes. Source: MET-1, MET-2.
 */
export function toCustom(facts: PageFacts): CustomMap {
  const custom: Record<string, string> = {};
  for (const [key, value] of Object.entries(facts)) {
    if (value === null || value === undefined) continue;
    if (RESERVED.test(key)) throw new TypeError(`"${key}" is the widget's own name. Call it something else.`);
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw new TypeError(`"${key}" must be a string, a number or a boolean.`);
    }
    const text = String(value);
    if (bytes(key) > MAX_KEY_BYTES)
      throw new TypeError(`The name "${key}" is longer than ${MAX_KEY_BYTES} bytes.`);
    if (bytes(text) > MAX_VALUE_BYTES)
      throw new TypeError(`"${key}" is longer than ${MAX_VALUE_BYTES} bytes.`);
    custom[key] = text;
  }
  if (Object.keys(custom).length > MAX_KEYS)
    throw new TypeError(`Too many values: at most ${MAX_KEYS} are allowed.`);
  return custom;
}
