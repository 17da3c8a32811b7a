import { type ExtensionName, extensionsOf, type OutgoingEvent, SYSTEM_TEXTS } from 'natter/protocol';
import {
  type Database,
  type EventLog,
  type LogPage,
  listOpenTurns,
  readLogPages,
  type StoredSession,
  type Turn,
} from '../../db/index.ts';
import { type ExternalState, loadExternalState, type OpenWait } from '../../external-events/index.ts';
import { toOutgoing } from '../outgoing-event.ts';
import type { WaitingTurn } from '../session-port.ts';
import { ConversationHistory } from '../turn/conversation-history.ts';
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

/** The session as a new owner reads it from the log. */
export interface LoadedSession {
  readonly history: ConversationHistory;
  readonly hasAgentJoined: boolean;
  /** Extensions that the client has named in its last join. Source: EXT-1. */
  readonly extensions: readonly ExtensionName[];
  /** Turns without any stored part of an answer: the agent answers them (again). */
  readonly waiting: readonly WaitingTurn[];
  /** Turns whose answer was interrupted: they end with the contract's text (STR-3). */
  readonly interrupted: readonly InterruptedTurn[];
  /** An answer broke off that belongs to no turn on record. */
  readonly hasOrphanStream: boolean;
  /** The external events that the agent waits for, and those that arrived. */
  readonly external: ExternalState;
  /** Waits whose answer was interrupted: they are settled. */
  readonly interruptedWaits: readonly OpenWait[];
  /** The survey that was shown, while the session has not ended yet. */
  readonly survey: OpenSurvey | null;
}

const NOTHING: ExternalState = { hasIds: false, waits: [], received: [] };

/** Reads a session from its log, after this node has acquired it. */
export async function readSession(
  database: Database,
  log: EventLog,
  { id: sessionId, conversationId }: Pick<StoredSession, 'id' | 'conversationId'>,
): Promise<LoadedSession> {
  const external = conversationId === null ? NOTHING : await loadExternalState(database, conversationId);
  const turns = await listOpenTurns(database, sessionId);
  const inputs = new Map(turns.map((turn) => [turn.inputSequence, turn]));
  const history = new ConversationHistory();
  const unfinished: { readonly turn: Turn; readonly input: WaitingTurn }[] = [];
  const answers = new Map<string, string>();
  const stream = new OpenStream();
  let hasAgentJoined = false;
  let extensions: readonly ExtensionName[] = [];
  let survey: OpenSurvey | null = null;
  let hasUserEnded = false;
  for await (const event of readAll(log, sessionId)) {
    history.apply(event);
    stream.apply(event);
    if (event.type === 'EVENT_TYPE_AGENT_JOINED') hasAgentJoined = true;
    if (event.type === 'EVENT_TYPE_AGENT_LEFT') hasAgentJoined = false;
    if (event.type === 'EVENT_TYPE_REQUEST_AGENT_JOIN') extensions = extensionsOf(event.custom);
    if (event.type === 'EVENT_TYPE_USER_END_SESSION') hasUserEnded = true;
    survey = readSurvey(event, hasUserEnded) ?? survey;
    const turn = inputs.get(event.sequence ?? 0);
    if (turn !== undefined) unfinished.push({ turn, input: toWaitingTurn(turn, event) });
    if (event.type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK') addChunk(answers, event);
  }
  const waiting = unfinished.filter(({ turn }) => turn.messageId === null).map(({ input }) => input);
  const interrupted = unfinished.flatMap(({ turn, input }): InterruptedTurn[] => {
    const { messageId, startedAtMs } = turn;
    return messageId === null
      ? []
      : [{ input, messageId, answerText: answers.get(messageId) ?? '', startedAtMs }];
  });
  return {
    history,
    hasAgentJoined,
    extensions,
    survey,
    waiting,
    interrupted,
    hasOrphanStream: interrupted.length === 0 && stream.isOpen,
    external: { ...external, waits: external.waits.filter(({ isBegun }) => !isBegun) },
    interruptedWaits: external.waits.filter(({ isBegun }) => isBegun),
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
