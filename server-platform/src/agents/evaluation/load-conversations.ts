import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';

/** One conversation with the requirements on its last answer. Texts are compared without case. */
export interface EvalConversation {
  /** The visitor's messages, turn by turn; the answer to the last one is judged. */
  readonly say: readonly string[];
  /** Local time of the company, such as `2026-07-14T09:00`. */
  readonly now?: string | undefined;
  /** Language of the conversation. */
  readonly language: string;
  /** Texts that the answer must contain. */
  readonly has: readonly string[];
  /** Texts of which the answer must contain one. */
  readonly any: readonly string[];
  /** Texts that the answer must not contain. */
  readonly not: readonly string[];
  /** The answer is of one of these intents. */
  readonly intent: readonly string[];
  /** Whether the agent must hand off (true) or must not (false). */
  readonly handoff?: boolean | undefined;
  /** Whether the agent must at least offer a human agent. */
  readonly person?: boolean | undefined;
  /** Whether the answer must have a card of an article (true) or must not (false). */
  readonly card?: boolean | undefined;
  /** Whether the answer must have suggestions to tap (true) or must not (false). */
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
  now: v.optional(v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/))),
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

/** Conversations by category: the path of their file below the folder, without its ending. */
export type EvalConversations = ReadonlyMap<string, readonly EvalConversation[]>;

/**
 * Reads the conversations that an agent is evaluated by: every `.yaml` file of `evaluation` in the folder of its
 * articles, and of the folders in there. Empty when there is no such folder.
 *
 * Rejects with a message that names the file that is wrong.
 */
export async function loadConversations(knowledgeFolder: string): Promise<EvalConversations> {
  const folder = join(knowledgeFolder, 'evaluation');
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  const found = new Map<string, readonly EvalConversation[]>();
  for (const name of names.filter((each) => each.endsWith('.yaml')).sort()) {
    const text = await readFile(join(folder, name), 'utf8');
    found.set(name.slice(0, -'.yaml'.length).replaceAll('\\', '/'), readConversations(text, name));
  }
  return found;
}

function readConversations(text: string, name: string): readonly EvalConversation[] {
  let data: unknown;
  try {
    data = parse(text);
  } catch (cause) {
    throw new Error(`${name} is not YAML. Correct it, or take it out of the folder.`, { cause });
  }
  const read = v.safeParse(v.array(conversationSchema), data);
  if (read.success) return read.output;
  const [issue] = read.issues;
  const place = Number(issue.path?.[0]?.key ?? 0) + 1;
  throw new Error(`${name}: the conversation in place ${place} is not valid: ${issue.message}.`);
}
