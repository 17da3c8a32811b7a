import type { ConversationTurn, LegacyTurn } from '@natter/sdk';
import type { TurnRow } from './read-conversations.ts';

/** Which fields a caller asked for besides. Source: 4.1. */
export interface TurnExtras {
  readonly hasLatency: boolean;
  readonly hasContextState: boolean;
  readonly hasMetadata: boolean;
}

type Variables = Readonly<Record<string, unknown>>;

/** The variables after each turn: a turn that left them alone has those of the one before. */
export function statesAfter(turns: readonly TurnRow[]): readonly Variables[] {
  let state: Variables = {};
  return turns.map((turn) => {
    state = turn.context_state ?? state;
    return state;
  });
}

/** A turn of v2 and v3, its fields in the order of CV-15. */
export function writeTurn(turn: TurnRow, state: Variables, extras: TurnExtras): ConversationTurn {
  return {
    ...sharedFields(turn),
    translated_user_input: turn.translated_user_input,
    english_agent_response: turn.english_agent_response,
    ...(extras.hasLatency && { latency: (turn.latency_ms ?? 0) / 1000 }),
    ...(extras.hasContextState && { context_state: state }),
    ...(extras.hasMetadata && { metadata: turn.metadata }),
  };
}

/** A turn of v1: no latency, no translations, empty texts are null. Source: 4.3. */
export function writeLegacyTurn(turn: TurnRow): LegacyTurn {
  return emptyToNull(sharedFields(turn));
}

/** An object whose empty texts are null. Source: 4.3. */
export function emptyToNull<Fields extends object>(
  fields: Fields,
): { readonly [Name in keyof Fields]: Fields[Name] | null } {
  // Object.fromEntries forgets which key had which value; the mapping itself keeps it.
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === '' ? null : value]),
  ) as { readonly [Name in keyof Fields]: Fields[Name] | null };
}

/** Milliseconds as ISO 8601; empty when there is no time (CV-15). */
export function writeTime(ms: number | null): string {
  if (ms === null) return '';
  // A list of thousands of turns has few different minutes, and `toISOString` takes as long as all its JSON.
  const minute = Math.floor(ms / MINUTE_MS);
  if (minute !== lastMinute.minute) {
    lastMinute = { minute, text: new Date(minute * MINUTE_MS).toISOString().slice(0, -SECONDS.length) };
  }
  const rest = String(ms - minute * MINUTE_MS).padStart(5, '0');
  return `${lastMinute.text}${rest.slice(0, 2)}.${rest.slice(2)}Z`;
}

const MINUTE_MS = 60_000;
const SECONDS = '00.000Z';
let lastMinute = { minute: Number.NaN, text: '' };

function sharedFields(turn: TurnRow) {
  return {
    user_input: turn.user_input,
    user_input_dtmf: turn.user_input_dtmf,
    user_input_datetime: writeTime(turn.user_input_at),
    barge_in: turn.barge_in,
    agent_response: turn.agent_response,
    agent_response_datetime: writeTime(turn.agent_response_at),
    intents: turn.intents,
    entities: turn.entities,
    is_ood: turn.is_ood,
    is_silence: turn.is_silence,
  };
}
