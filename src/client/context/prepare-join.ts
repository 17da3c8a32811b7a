import { type CustomMap, isFields } from '../../protocol/index.ts';
import { callSafely } from '../call-safely.ts';
import type { ChatClientOptions, CurrentSession } from '../chat-client.ts';
import type { ClockPort } from '../ports.ts';

/** One second more than verified context may take (VCI-5), which reports its own timeout. */
const MAX_MS = 6_000;

const MESSAGE = 'beforeJoin failed: the conversation continues without its metadata. The cause says why.';

const isTexts = (value: unknown): value is CustomMap =>
  isFields(value) && Object.values(value).every((text) => typeof text === 'string');

/**
 * Asks the page for the metadata of the agent's join. Never rejects: when `beforeJoin` fails or takes too long, the
 * agent is requested without metadata, and `onError` is called. Source: JOIN-2, VCI-5.
 */
export async function prepareJoin(
  { page, onError = warn }: ChatClientOptions,
  session: CurrentSession,
  clock: ClockPort,
): Promise<CustomMap | undefined> {
  if (!page?.beforeJoin) return undefined;
  let cancel = (): void => {};
  try {
    const late = new Promise<never>((_, reject) => {
      const tooLong = new Error(`beforeJoin took longer than ${MAX_MS / 1000} s.`);
      cancel = clock.setTimer(() => reject(tooLong), MAX_MS);
    });
    const custom: unknown = await Promise.race([page.beforeJoin(session), late]);
    if (custom === undefined || custom === null) return undefined;
    if (!isTexts(custom)) throw new TypeError('beforeJoin takes an object of texts, or nothing.');
    return custom;
  } catch (cause) {
    callSafely(onError, { code: 'BEFORE_JOIN_FAILED', message: MESSAGE, cause });
    return undefined;
  } finally {
    cancel();
  }
}

const warn: NonNullable<ChatClientOptions['onError']> = ({ message, cause }) =>
  console.warn(`Natter: ${message}`, cause);
