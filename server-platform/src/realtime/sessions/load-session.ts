import { type ExtensionName, extensionsOf, type OutgoingEvent, SYSTEM_TEXTS } from 'natter/protocol';
import type { Database } from '../../db/index.ts';
import type { WaitingTurn } from '../conversation/index.ts';
import { toOutgoing } from '../conversation/index.ts';
import type { EventLog, StoredSession } from '../event-log/index.ts';
import { type ExternalState, loadExternalState, type OpenWait } from '../external-events/index.ts';
import type { MessagingLimits } from '../messaging-limits.ts';
import { listOpenTurns, type Turn } from '../ownership/index.ts';
import { ConversationHistory } from '../turns/conversation-history.ts';
import { countLoggedBytes, readEventsAfter, readLastMessages, readLatest } from './read-log.ts';
import { type OpenSurvey, readSurvey } from './survey.ts';

/** A turn that a crash interrupted, with the stored part of its answer. */
export interface InterruptedTurn {
  readonly input: WaitingTurn;
  /** Names the answer. */
  readonly messageId: string;
  readonly answerText: string;
  /** When the answer began. */
  readonly startedAtMs: number | null;
}

/** The session as a new owner loads it from the log. */
export interface LoadedSession {
  readonly history: ConversationHistory;
  /** Size of the log. */
  readonly loggedBytes: number;
  readonly hasAgentJoined: boolean;
  /** Extensions that the client has named in its last join. Source: EXT-1. */
  readonly extensions: readonly ExtensionName[];
  /** Turns without any stored part of an answer; the agent answers them (again). */
  readonly waiting: readonly WaitingTurn[];
  /** Turns with an interrupted answer; they end with the contract's text (STR-3). */
  readonly interrupted: readonly InterruptedTurn[];
  /** Whether an interrupted answer belongs to no stored turn. */
  readonly hasOrphanStream: boolean;
  /** The external events that the agent waits for, and those that have arrived. */
  readonly external: ExternalState;
  /** Waits with an interrupted answer; they are settled. */
  readonly interruptedWaits: readonly OpenWait[];
  /** The survey being shown; null if none, or after the session's end. */
  readonly survey: OpenSurvey | null;
}

const NOTHING: ExternalState = { hasIds: false, waits: [], received: [] };

/** A session without any activity. */
const UNUSED: Omit<LoadedSession, 'history'> = {
  loggedBytes: 0,
  hasAgentJoined: false,
  extensions: [],
  waiting: [],
  interrupted: [],
  hasOrphanStream: false,
  external: NOTHING,
  interruptedWaits: [],
  survey: null,
};

/** Event types that determine the state; only the last event of each type counts. */
const STANDING = [
  'EVENT_TYPE_AGENT_JOINED',
  'EVENT_TYPE_AGENT_LEFT',
  'EVENT_TYPE_REQUEST_AGENT_JOIN',
  'EVENT_TYPE_USER_END_SESSION',
  'EVENT_TYPE_USER_MESSAGE',
  'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
  'EVENT_TYPE_SHOW_CSAT_REQUEST',
] as const;

/**
 * Loads a session from its log after this node has acquired it: the last event of each state type, the most recent
 * messages, and the open turns. The rest of the log, however long, stays in the database.
 */
export async function readSession(
  database: Database,
  log: EventLog,
  {
    id: sessionId,
    conversationId,
    lastSequence,
  }: Pick<StoredSession, 'id' | 'conversationId' | 'lastSequence'>,
  { historyBytes }: Pick<MessagingLimits, 'historyBytes'>,
): Promise<LoadedSession> {
  const history = new ConversationHistory(historyBytes);
  // A new session's log holds only SESSION_START.
  if (lastSequence <= 1) return { ...UNUSED, history };
  const [external, turns, latest, spoken, loggedBytes] = await Promise.all([
    conversationId === null ? NOTHING : loadExternalState(database, conversationId),
    listOpenTurns(database, sessionId),
    readLatest(database, sessionId, STANDING),
    readLastMessages(database, sessionId, historyBytes),
    countLoggedBytes(database, sessionId),
  ]);
  if (latest.has('EVENT_TYPE_USER_MESSAGE')) history.noteUserMessage();
  for (const event of spoken) history.apply(event);
  const sequenceOf = (type: (typeof STANDING)[number]): number => latest.get(type)?.sequence ?? 0;
  const asked = latest.get('EVENT_TYPE_SHOW_CSAT_REQUEST');
  const join = latest.get('EVENT_TYPE_REQUEST_AGENT_JOIN');
  const lastChunk = latest.get('EVENT_TYPE_AGENT_MESSAGE_CHUNK');
  const waiting = await listWaiting(database, sessionId, turns);
  const interrupted = await readInterrupted(log, sessionId, turns);
  return {
    history,
    loggedBytes,
    hasAgentJoined: sequenceOf('EVENT_TYPE_AGENT_JOINED') > sequenceOf('EVENT_TYPE_AGENT_LEFT'),
    extensions: join === undefined ? [] : extensionsOf(join.custom),
    survey:
      asked === undefined
        ? null
        : readSurvey(
            asked,
            latest.has('EVENT_TYPE_USER_END_SESSION') &&
              sequenceOf('EVENT_TYPE_USER_END_SESSION') < asked.sequence,
          ),
    waiting,
    interrupted,
    hasOrphanStream:
      interrupted.length === 0 && lastChunk !== undefined && (await isBroken(log, sessionId, lastChunk)),
    external: { ...external, waits: external.waits.filter(({ isBegun }) => !isBegun) },
    interruptedWaits: external.waits.filter(({ isBegun }) => isBegun),
  };
}

/** Turns without any stored part of an answer. Their texts stay in the log: fifty of the largest take 6 MB. */
async function listWaiting(
  database: Database,
  sessionId: string,
  turns: readonly Turn[],
): Promise<readonly WaitingTurn[]> {
  const waiting = turns.filter(({ messageId }) => messageId === null);
  if (waiting.length === 0) return [];
  const rows = await database.query<InputRow>(READ_INPUTS, [
    sessionId,
    waiting.map(({ inputSequence }) => inputSequence),
  ]);
  const inputs = new Map(rows.map((row) => [row.sequence, row]));
  return waiting.flatMap((turn): WaitingTurn[] => {
    const input = inputs.get(turn.inputSequence);
    if (input === undefined) return [];
    const payload = { message_id: input.message_id };
    return [{ ...toWaitingTurn(turn, { type: input.type, payload, custom: null }), isInLog: true }];
  });
}

type InputRow = {
  readonly sequence: number;
  readonly type: OutgoingEvent['type'];
  readonly message_id: string | null;
};

// Matched in the JSON text: JSON operators would decode the message too, and reject U+0000 in it. Inside a text value
// the quotation marks would be escaped.
const READ_INPUTS = `
SELECT sequence, type, substring(payload::text from '"message_id": ?"([^"\\\\]*)"') AS message_id
  FROM events WHERE session_id = $1 AND sequence = ANY($2::bigint[])`;

/** Adds the input from the log to a waiting turn. */
export async function readInput(log: EventLog, sessionId: string, turn: WaitingTurn): Promise<WaitingTurn> {
  const { isInLog: _, ...held } = turn;
  const input = await readEvent(log, sessionId, turn.inputSequence);
  return input === null ? held : { ...held, text: textOf(input), custom: input.custom };
}

async function readEvent(log: EventLog, sessionId: string, sequence: number): Promise<OutgoingEvent | null> {
  const { events } = await log.readPage(sessionId, sequence - 1, 1);
  const [event] = events;
  return event?.sequence === sequence ? toOutgoing(event) : null;
}

function textOf({ type, payload }: Pick<OutgoingEvent, 'type' | 'payload'>): string {
  const { text } = payload;
  return type === 'EVENT_TYPE_USER_MESSAGE' && typeof text === 'string' ? text : '';
}

/** Turns with an interrupted answer, including the stored part up to the limit. */
async function readInterrupted(
  log: EventLog,
  sessionId: string,
  turns: readonly Turn[],
): Promise<readonly InterruptedTurn[]> {
  const begun = turns.filter(({ messageId }) => messageId !== null);
  if (begun.length === 0) return [];
  const inputs = new Map<number, OutgoingEvent>();
  const answers = new Map(begun.map(({ messageId }) => [messageId, '']));
  const first = Math.min(...begun.map(({ inputSequence }) => inputSequence));
  for await (const event of readEventsAfter(log, sessionId, first - 1)) {
    if (begun.some(({ inputSequence }) => inputSequence === event.sequence))
      inputs.set(event.sequence ?? 0, event);
    if (event.type !== 'EVENT_TYPE_AGENT_MESSAGE_CHUNK') continue;
    const { message_id: id, text } = event.payload;
    const answer = typeof id === 'string' ? answers.get(id) : undefined;
    if (answer !== undefined && typeof text === 'string' && answer.length < MAX_ANSWER_CHARACTERS)
      answers.set(String(id), answer + text);
  }
  return begun.flatMap((turn): InterruptedTurn[] => {
    const input = inputs.get(turn.inputSequence);
    const { messageId, startedAtMs } = turn;
    if (input === undefined || messageId === null) return [];
    const answerText = answers.get(messageId) ?? '';
    return [{ input: toWaitingTurn(turn, input), messageId, answerText, startedAtMs }];
  });
}

// Limit for the recorded part of an interrupted answer.
const MAX_ANSWER_CHARACTERS = 1_048_576;

/** Whether the last streamed answer of a log neither ended nor was declared interrupted. */
async function isBroken(
  log: EventLog,
  sessionId: string,
  chunk: OutgoingEvent & { readonly sequence: number },
): Promise<boolean> {
  if (chunk.payload['is_complete'] === true) return false;
  for await (const { type, payload } of readEventsAfter(log, sessionId, chunk.sequence))
    if (type === 'EVENT_TYPE_SYSTEM_MESSAGE' && payload['message'] === SYSTEM_TEXTS.streamBroken)
      return false;
  return true;
}

function toWaitingTurn(turn: Turn, input: Pick<OutgoingEvent, 'type' | 'payload' | 'custom'>): WaitingTurn {
  const { message_id: messageId } = input.payload;
  const isMessage = input.type === 'EVENT_TYPE_USER_MESSAGE';
  return {
    id: turn.id,
    kind: isMessage ? 'message' : 'greeting',
    text: textOf(input),
    messageId: isMessage && typeof messageId === 'string' ? messageId : null,
    inputSequence: turn.inputSequence,
    custom: input.custom,
    queuedAtMs: turn.queuedAtMs,
  };
}
