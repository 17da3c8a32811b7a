import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { parse } from 'yaml';

/** One conversation with what its last answer must and must not be. Texts are compared without case. */
export interface EvalConversation {
  /** What the visitor writes, turn by turn; the answer to the last is judged. */
  readonly say: readonly string[];
  /** Local time of the company, such as `2026-07-14T09:00`. */
  readonly now?: string | undefined;
  /** Language of the conversation. */
  readonly language: string;
  /** The answer holds all of these. */
  readonly has: readonly string[];
  /** The answer holds one of these. */
  readonly any: readonly string[];
  /** The answer holds none of these. */
  readonly not: readonly string[];
  /** The answer is of one of these intents. */
  readonly intent: readonly string[];
  /** It hands over (true), or does not (false). */
  readonly handoff?: boolean | undefined;
  /** It offers a person, at least. */
  readonly person?: boolean | undefined;
  /** It comes with a card of an article, or without. */
  readonly card?: boolean | undefined;
  /** It offers something to tap, or nothing. */
  readonly chips?: boolean | undefined;
}

const oneOrMany = v.union([
  v.pipe(
    v.string(),
    v.transform((text) => [text]),
  ),
  v.array(v.string()),
]);

const conversationSchema: v.GenericSchema<unknown, EvalConversation> = v.strictObject({
  say: oneOrMany,
  now: v.optional(v.string()),
  language: v.optional(v.string(), 'en'),
  has: v.optional(oneOrMany, []),
  any: v.optional(oneOrMany, []),
  not: v.optional(oneOrMany, []),
  intent: v.optional(oneOrMany, []),
  handoff: v.optional(v.boolean()),
  person: v.optional(v.boolean()),
  card: v.optional(v.boolean()),
  chips: v.optional(v.boolean()),
});

const FOLDER = fileURLToPath(new URL('conversations/', import.meta.url));

/** The conversations of every category: for tuning, or those written last and never tuned on. */
export function loadConversations(
  set: 'tuning' | 'held-out',
): ReadonlyMap<string, readonly EvalConversation[]> {
  const files = readdirSync(join(FOLDER, set)).filter((name) => name.endsWith('.yaml'));
  return new Map(
    files
      .sort()
      .map((name) => [
        name.slice(0, -'.yaml'.length),
        v.parse(v.array(conversationSchema), parse(readFileSync(`${FOLDER}${set}/${name}`, 'utf8'))),
      ]),
  );
}
