import { type Fields, isFields } from './read-field.ts';
import { NAME_PREFIX, toPoly } from './vocabulary.ts';

/** Returns `payload`, else the object under the key named after the type, else an empty object. Source: messaging.md 5.4, V-8. */
export function findPayload(frame: Fields, type: string): Fields {
  const { payload } = frame;
  return isFields(payload)
    ? payload
    : ([type, toPoly(type)]
        .map((name) => frame[name.slice(NAME_PREFIX.length).toLowerCase()])
        .find(isFields) ?? {});
}
