import type { ConversationTurn } from '@natter/sdk';
import type { StoredTurn } from './stored-conversation.ts';

/** Optional fields that a caller requested. Source: 4.1. */
export interface TurnExtras {
  readonly hasLatency: boolean;
  readonly hasContextState: boolean;
  readonly hasMetadata: boolean;
}

/** Fields by name, their values as JSON text. */
export type JsonFields = Readonly<Record<string, string>>;

/** The JSON text of an object with these fields. */
export function writeFields(fields: JsonFields): string {
  let text = '';
  for (const name in fields) text += `${text === '' ? '{' : ','}"${name}":${fields[name]}`;
  return text === '' ? '{}' : `${text}}`;
}

/** A turn of v2 and v3 as JSON, its fields in the order of CV-15. */
export function writeTurn(turn: StoredTurn, state: string, extras: TurnExtras): string {
  const fields: { -readonly [Name in keyof ConversationTurn]: string } = {
    ...sharedFields(turn),
    translated_user_input: turn.translatedUserInput,
    english_agent_response: turn.englishAgentResponse,
  };
  if (extras.hasLatency) fields.latency = String(Number(turn.latencyMs) / 1000);
  if (extras.hasContextState) fields.context_state = state;
  if (extras.hasMetadata) fields.metadata = turn.metadata;
  return writeFields(fields);
}

/** A turn of v1 as JSON: no latency, no translations, empty texts are null. Source: 4.3. */
export function writeLegacyTurn(turn: StoredTurn): string {
  return writeFields(emptyToNull(sharedFields(turn)));
}

/** Fields whose empty texts are null. Source: 4.3. */
export function emptyToNull(fields: JsonFields): JsonFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === '""' ? 'null' : value]),
  );
}

/** Milliseconds as ISO 8601; empty when there is no time (CV-15). */
export function writeTime(ms: number | null): string {
  if (ms === null) return '';
  // A list of thousands of turns has few different days, and `toISOString` takes as long as the rest of its JSON.
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay.day) lastDay = { day, text: new Date(day * DAY_MS).toISOString().slice(0, 11) };
  const rest = ms - day * DAY_MS;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  const hour = digits(Math.floor(minutes / 60));
  return `${lastDay.text}${hour}:${digits(minutes % 60)}:${digits(seconds % 60)}.${digits(rest % 1000, 3)}Z`;
}

const DAY_MS = 86_400_000;
let lastDay = { day: Number.NaN, text: '' };

function digits(value: number, length = 2): string {
  return String(value).padStart(length, '0');
}

function sharedFields(turn: StoredTurn) {
  return {
    user_input: turn.userInput,
    user_input_dtmf: turn.userInputDtmf,
    user_input_datetime: writeStoredTime(turn.userInputAt),
    barge_in: writeFlag(turn.bargeIn),
    agent_response: turn.agentResponse,
    agent_response_datetime: writeStoredTime(turn.agentResponseAt),
    intents: turn.intents,
    entities: turn.entities,
    is_ood: writeFlag(turn.isOod),
    is_silence: writeFlag(turn.isSilence),
  };
}

function writeStoredTime(digits: string): string {
  return `"${writeTime(digits === '' ? null : Number(digits))}"`;
}

function writeFlag(flag: string): string {
  return flag === 't' ? 'true' : 'false';
}
