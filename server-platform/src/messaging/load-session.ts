import type { CustomMap, OutgoingEvent } from 'natter/protocol';
import { SYSTEM_TEXTS } from 'natter/protocol';
import {
  type Database,
  type EventLog,
  type LogPage,
  listUnfinishedTurns,
  readLogPages,
  type Session,
  type Turn,
} from '../db/index.ts';
import { type ExternalState, loadExternalState, type OpenWait } from '../external-events/index.ts';
import { ConversationHistory } from './conversation-history.ts';
import { type OpenSurvey, readSurvey } from './session-survey.ts';
import { toOutgoing } from './session-writer.ts';

/** A turn that waits for the agent. */
export interface WaitingTurn {
  readonly id: string;
  readonly kind: 'greeting' | 'message';
  readonly text: string;
  readonly messageId: string | null;
  readonly inputSequence: number;
  /** What the client sent along (MET-1). */
  readonly custom: CustomMap | null;
  readonly queuedAtMs: number;
}

/** A turn whose answer broke off, with what was stored of it. */
export interface BrokenTurn {
  readonly input: WaitingTurn;
  readonly said: string;
  /** When the answer began. */
  readonly startedAtMs: number | null;
}

/** What a new owner finds in the log. */
export interface LoadedSession {
  readonly history: ConversationHistory;
  readonly hasAgentJoined: boolean;
  /** Turns of which nothing was stored: they are answered (again). */
  readonly waiting: readonly WaitingTurn[];
  /** Turns whose answer broke off: they are ended with the contract's text (STR-3). */
  readonly broken: readonly BrokenTurn[];
  /** An answer broke off that belongs to no turn on record. */
  readonly hasOrphanStream: boolean;
  /** What the agent waits for, and what has come for it. */
  readonly external: ExternalState;
  /** Waits whose answer broke off: they are over. */
  readonly brokenWaits: readonly OpenWait[];
  /** The user was asked how it was, and the session has not ended yet. */
  readonly survey: OpenSurvey | null;
}

const NOTHING: ExternalState = { hasIds: false, waits: [], received: [] };

/** Reads a session back from its log, after a claim. */
export async function readSessionBack(
  database: Database,
  log: EventLog,
  { id: sessionId, conversationId }: Pick<Session, 'id' | 'conversationId'>,
): Promise<LoadedSession> {
  const external = conversationId === null ? NOTHING : await loadExternalState(database, conversationId);
  const turns = await listUnfinishedTurns(database, sessionId);
  const inputs = new Map(turns.map((turn) => [turn.inputSequence, turn]));
  const history = new ConversationHistory();
  const unfinished: { readonly turn: Turn; readonly input: WaitingTurn }[] = [];
  const answers = new Map<string, string>();
  const stream = new OpenStream();
  let hasAgentJoined = false;
  let survey: OpenSurvey | null = null;
  let hasUserEnded = false;
  for await (const event of readAll(log, sessionId)) {
    history.apply(event);
    stream.apply(event);
    if (event.type === 'EVENT_TYPE_AGENT_JOINED') hasAgentJoined = true;
    if (event.type === 'EVENT_TYPE_AGENT_LEFT') hasAgentJoined = false;
    if (event.type === 'EVENT_TYPE_USER_END_SESSION') hasUserEnded = true;
    survey = readSurvey(event, hasUserEnded) ?? survey;
    const turn = inputs.get(event.sequence ?? 0);
    if (turn !== undefined) unfinished.push({ turn, input: toWaitingTurn(turn, event) });
    if (event.type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK') addChunk(answers, event);
  }
  const waiting = unfinished.filter(({ turn }) => turn.messageId === null).map(({ input }) => input);
  const broken = unfinished.flatMap(({ turn, input }): BrokenTurn[] => {
    const { messageId, startedAtMs } = turn;
    return messageId === null ? [] : [{ input, said: answers.get(messageId) ?? '', startedAtMs }];
  });
  return {
    history,
    hasAgentJoined,
    survey,
    waiting,
    broken,
    hasOrphanStream: broken.length === 0 && stream.isOpen,
    external: { ...external, waits: external.waits.filter(({ isBegun }) => !isBegun) },
    brokenWaits: external.waits.filter(({ isBegun }) => isBegun),
  };
}

async function* readAll(log: EventLog, sessionId: string): AsyncGenerator<OutgoingEvent> {
  const read = (cursor: number, limit: number): Promise<LogPage> => log.readPage(sessionId, cursor, limit);
  for await (const { events } of readLogPages(read, 0)) for (const event of events) yield toOutgoing(event);
}

function addChunk(answers: Map<string, string>, { payload }: OutgoingEvent): void {
  const { message_id: id, text } = payload;
  if (typeof id === 'string' && typeof text === 'string') answers.set(id, (answers.get(id) ?? '') + text);
}

function toWaitingTurn(turn: Turn, input: OutgoingEvent): WaitingTurn {
  const { text, message_id: messageId } = input.payload;
  const isMessage = input.type === 'EVENT_TYPE_USER_MESSAGE';
  return {
    id: turn.id,
    kind: isMessage ? 'message' : 'greeting',
    text: isMessage && typeof text === 'string' ? text : '',
    messageId: isMessage && typeof messageId === 'string' ? messageId : null,
    inputSequence: turn.inputSequence,
    custom: input.custom,
    queuedAtMs: turn.queuedAtMs,
  };
}

/** Whether the last streamed answer of a log neither ended nor was declared broken. */
class OpenStream {
  isOpen = false;

  apply(event: OutgoingEvent): void {
    if (event.type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK') this.isOpen = event.payload['is_complete'] !== true;
    else if (event.type === 'EVENT_TYPE_SYSTEM_MESSAGE') {
      if (event.payload['message'] === SYSTEM_TEXTS.streamBroken) this.isOpen = false;
    }
  }
}
