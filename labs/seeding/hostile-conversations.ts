import type { Database } from '../../server-platform/src/db/index.ts';
import {
  type ConversationChange,
  type ConversationTurn,
  writeConversations,
} from '../../server-platform/src/realtime/event-log/index.ts';

/** The owner of the conversations, and the time at which the last one ended. */
export interface HostilePlan {
  readonly projectId: string;
  readonly connectorId: string | null;
  readonly untilMs: number;
  /** How much of it is written, from 0 to 1. Default: all. */
  readonly share?: number;
}

/** The conversations that take the most to read, by their hostile trait. */
export const HOSTILE_IDS = {
  longTexts: 'CONV-hostile-long-texts',
  manyTurns: 'CONV-hostile-many-turns',
  deepValues: 'CONV-hostile-deep-values',
} as const;

const QUESTIONS = 500;
const TEXT_CHARACTERS = 100_000;
const LONG_TURNS = 50;
const MANY_TURNS = 10_000;
const DEEP_TURNS = 50;
const LEVELS = 90;
const KEYS = 2_000;
// A statement of at most 5 MB.
const TURNS_AT_ONCE = 40;

/**
 * Writes an attacker's conversations, meant to break reads of stored data: long unanswered questions, each of
 * words that no other has; scripts without spaces, quotation marks and control characters; very many turns; values that are
 * deep and wide; a different language for each conversation. 130 MB of text in all. Resolves with the number of conversations.
 */
export async function seedHostile(database: Database, plan: HostilePlan): Promise<number> {
  const { share = 1 } = plan;
  const questions = Math.round(QUESTIONS * share);
  for (let from = 0; from < questions; from += TURNS_AT_ONCE)
    await writeConversations(
      database,
      Array.from({ length: Math.min(TURNS_AT_ONCE, questions - from) }, (_, index) =>
        questionOf(plan, from + index),
      ),
    );
  const long = Array.from({ length: LONG_TURNS * share }, (_, index) =>
    turnAt(plan, { userInput: hostileText(index), agentResponse: hostileText(index + 1) }),
  );
  const many = Array.from({ length: MANY_TURNS * share }, (_, index) =>
    turnAt(plan, { userInput: `Question ${index}`, agentResponse: 'Yes.', latencyMs: index }),
  );
  const deep = Array.from({ length: DEEP_TURNS * share }, (_, index) =>
    turnAt(plan, {
      userInput: 'Why?',
      agentResponse: 'Because.',
      contextState: { [`deep${index}`]: deepValue(), ...wideValue() },
      metadata: { deep: deepValue(), ...wideValue() },
      metrics: wideValue(),
      entities: wideValue(),
    }),
  );
  await writeLong(database, plan, HOSTILE_IDS.longTexts, long);
  await writeLong(database, plan, HOSTILE_IDS.manyTurns, many);
  await writeLong(database, plan, HOSTILE_IDS.deepValues, deep);
  return questions + Object.keys(HOSTILE_IDS).length;
}

async function writeLong(
  database: Database,
  plan: HostilePlan,
  id: string,
  turns: readonly ConversationTurn[],
): Promise<void> {
  const size = turns.length > 1_000 ? 1_000 : 10;
  for (let from = 0; from < turns.length; from += size)
    await writeConversations(database, [
      {
        id,
        ...(from === 0 && { start: startOf(plan, 'en') }),
        turns: turns.slice(from, from + size),
      },
    ]);
}

function questionOf(plan: HostilePlan, index: number): ConversationChange {
  return {
    id: `CONV-hostile-${index}`,
    start: startOf(plan, `x-${index}`),
    turns: [turnAt(plan, { userInput: hostileText(index), agentResponse: 'I do not know.', isOod: true })],
    end: { atMs: plan.untilMs, reason: 'user' },
  };
}

function startOf(
  { projectId, connectorId, untilMs }: HostilePlan,
  language: string,
): NonNullable<ConversationChange['start']> {
  return {
    ...{ atMs: untilMs - 60_000, projectId, connectorId, variantId: '', variantName: '', sharedId: null },
    ...{ environment: 'live', channel: 'WEBCHAT', language, fromNumber: '', toNumber: '' },
  };
}

function turnAt({ untilMs }: HostilePlan, fields: Partial<ConversationTurn>): ConversationTurn {
  return {
    ...{ kind: 'message', userInputAtMs: untilMs - 30_000, agentResponse: '', latencyMs: 700 },
    ...{ agentResponseAtMs: untilMs - 29_000, atMs: untilMs - 29_000 },
    ...fields,
  };
}

/** A text of 100,000 characters: by turns of words, of a script without spaces, and of what JSON writes twice and six times as long. */
export function hostileText(index: number): string {
  const kinds = [
    (n: number) => `word${String.fromCharCode(97 + (n % 26))}${index}x${n} `,
    (n: number) => String.fromCharCode(0x4e00 + ((index * 31 + n) % 20_000)),
    () => '"\\',
    (n: number) => (n % 10 === 0 ? ' ' : '\u0001'),
  ];
  const make = kinds[index % kinds.length] ?? String;
  let text = '';
  for (let n = 0; text.length < TEXT_CHARACTERS; n += 1) text += make(n);
  return text.slice(0, TEXT_CHARACTERS);
}

function deepValue(): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < LEVELS; level += 1) value = { down: value };
  return value;
}

function wideValue(): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`key_${index}`, `value ${index}`]));
}
