import type { OutgoingEvent } from 'natter/protocol';
import { SYSTEM_TEXTS } from 'natter/protocol';
import { type Database, type EventLog, listUnfinishedTurns, type Turn } from '../db/index.ts';
import { ConversationHistory } from './conversation-history.ts';
import { toOutgoing } from './session-writer.ts';

/** A turn that waits for the agent. */
export interface WaitingTurn {
  readonly id: string;
  readonly kind: 'greeting' | 'message';
  readonly text: string;
  readonly messageId: string | null;
  readonly inputSequence: number;
  readonly queuedAtMs: number;
}

/** What a new owner finds in the log. */
export interface LoadedSession {
  readonly history: ConversationHistory;
  readonly hasAgentJoined: boolean;
  /** Turns of which nothing was stored: they are answered (again). */
  readonly waiting: readonly WaitingTurn[];
  /** Turns whose answer broke off: they are ended with the contract's text (STR-3). */
  readonly broken: readonly Turn[];
  /** An answer broke off that belongs to no turn on record. */
  readonly hasOrphanStream: boolean;
}

const PAGE_EVENTS = 1_000;

/** Reads a session back from its log, after a claim. */
export async function readSessionBack(
  database: Database,
  log: EventLog,
  sessionId: string,
): Promise<LoadedSession> {
  const turns = await listUnfinishedTurns(database, sessionId);
  const inputs = new Map(turns.map((turn) => [turn.inputSequence, turn]));
  const history = new ConversationHistory();
  const waiting: WaitingTurn[] = [];
  const stream = new OpenStream();
  let hasAgentJoined = false;
  for await (const event of readAll(log, sessionId)) {
    history.apply(event);
    stream.apply(event);
    if (event.type === 'EVENT_TYPE_AGENT_JOINED') hasAgentJoined = true;
    if (event.type === 'EVENT_TYPE_AGENT_LEFT') hasAgentJoined = false;
    const turn = inputs.get(event.sequence ?? 0);
    if (turn !== undefined && turn.messageId === null) waiting.push(toWaitingTurn(turn, event));
  }
  const broken = turns.filter((turn) => turn.messageId !== null);
  return {
    history,
    hasAgentJoined,
    waiting,
    broken,
    hasOrphanStream: broken.length === 0 && stream.isOpen,
  };
}

async function* readAll(log: EventLog, sessionId: string): AsyncGenerator<OutgoingEvent> {
  let cursor = 0;
  for (;;) {
    const page = await log.readAfter(sessionId, cursor, PAGE_EVENTS);
    for (const event of page) yield toOutgoing(event);
    cursor = page.at(-1)?.sequence ?? cursor;
    if (page.length < PAGE_EVENTS) return;
  }
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
