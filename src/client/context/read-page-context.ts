import type { CustomMap } from '../../protocol/index.ts';
import type { ContextHandler } from './create-page-context.ts';
import { type PageFacts, toCustom } from './to-custom.ts';

const IDENTIFY_TAKES = 'identify takes the user with an id: { id: "42" }, or null if nobody is signed in.';

/** Returns valid metadata unchanged; throws a `TypeError` that names the expected shape for any other value from a script. */
function toFacts(given: unknown, message: string): PageFacts {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new TypeError(message);
  // `toCustom` checks each attribute.
  return given as PageFacts;
}

/**
 * Converts a page's user to metadata with the id as `user_id`. Throws a `TypeError` that says what `identify` accepts.
 */
export function readUser(given: unknown): CustomMap {
  const { id, ...facts } = toFacts(given, IDENTIFY_TAKES);
  if (id === '' || !['string', 'number'].includes(typeof id)) throw new TypeError(IDENTIFY_TAKES);
  return toCustom({ ...facts, user_id: id });
}

/**
 * Converts metadata from a page to metadata of a frame. Throws a `TypeError` that says what `setContext` accepts, or
 * which attribute is invalid.
 */
export const readFacts = (given: unknown): CustomMap =>
  toCustom(toFacts(given, 'setContext takes facts: { page: "Booking" }.'));

/** Validates a page's handler. Throws a `TypeError` if it is not a function. */
export function readHandler(given: unknown): ContextHandler {
  if (typeof given !== 'function')
    throw new TypeError('onContextRequired takes a function that returns a signed token.');
  return given as ContextHandler;
}
