import { type Signal, signal } from '@preact/signals-core';
import type {
  Attachment,
  CallAction,
  Chat,
  ConnectionStatus,
  DeliveryStatus,
  QueueStatus,
  SendOutcome,
  SessionStatus,
  Speaker,
  Suggestion,
  Survey,
  SystemNotice,
  TranscriptItem,
  TypingStatus,
} from '../../client/index.ts';

export const ADA: Speaker = { kind: 'agent', id: null, name: 'Ada', avatarUrl: null };
export const MAREN: Speaker = { kind: 'live_agent', id: 'maren', name: 'Maren Voss', avatarUrl: null };

/** What an agent's message may carry besides its text. */
export interface FakeMessage {
  readonly speaker?: Speaker;
  readonly isStreaming?: boolean;
  readonly atMs?: number;
  readonly attachments?: readonly Attachment[];
  readonly callActions?: readonly CallAction[];
}

/** A client whose far end is the test: state is set by hand, commands are written down. */
export interface FakeChat extends Chat {
  readonly connection: Signal<ConnectionStatus>;
  readonly session: Signal<SessionStatus>;
  readonly messages: Signal<readonly Signal<TranscriptItem>[]>;
  readonly speaker: Signal<Speaker | null>;
  readonly typing: Signal<TypingStatus>;
  readonly queue: Signal<QueueStatus | null>;
  readonly survey: Signal<Survey | null>;
  readonly suggestions: Signal<readonly Suggestion[]>;
  readonly unread: Signal<number>;
  readonly language: Signal<string | null>;
  readonly unsent: Signal<string>;
  /** Every command that was given, in order. */
  readonly commands: readonly string[];
  /** The delivery state that `send` gives a new message. Default sent. */
  delivery: DeliveryStatus;
  says(text: string, message?: FakeMessage): Signal<TranscriptItem>;
  asks(text: string, delivery?: DeliveryStatus, atMs?: number): Signal<TranscriptItem>;
  notes(notice: SystemNotice, atMs?: number): void;
}

/** Creates a scripted stand-in for the headless client. */
export function createFakeChat(startAtMs: number = Date.now()): FakeChat {
  const commands: string[] = [];
  let count = 0;
  let atMs = startAtMs;
  const nextKey = () => {
    count += 1;
    return `item-${count}`;
  };
  const add = (item: TranscriptItem): Signal<TranscriptItem> => {
    const entry = signal(item);
    fake.messages.value = [...fake.messages.peek(), entry];
    return entry;
  };
  const tick = (at: number | undefined) => {
    atMs = at ?? atMs + 1_000;
    return atMs;
  };
  const command = (name: string, done: () => void = () => {}) => {
    commands.push(name);
    done();
    return Promise.resolve();
  };

  const fake: FakeChat = {
    connection: signal<ConnectionStatus>({ status: 'open' }),
    session: signal<SessionStatus>({ status: 'active' }),
    messages: signal<readonly Signal<TranscriptItem>[]>([]),
    hasLostConnection: signal(false),
    speaker: signal<Speaker | null>(ADA),
    typing: signal<TypingStatus>(null),
    queue: signal<QueueStatus | null>(null),
    survey: signal<Survey | null>(null),
    suggestions: signal<readonly Suggestion[]>([]),
    unread: signal(0),
    language: signal<string | null>(null),
    unsent: signal(''),
    commands,
    delivery: { status: 'sent' },
    says(text, message = {}) {
      return add({
        kind: 'agent',
        key: nextKey(),
        speaker: message.speaker ?? fake.speaker.peek() ?? ADA,
        text,
        isStreaming: message.isStreaming ?? false,
        atMs: tick(message.atMs),
        attachments: message.attachments ?? [],
        callActions: message.callActions ?? [],
      });
    },
    asks(text, delivery = { status: 'sent' }, at) {
      const key = nextKey();
      return add({ kind: 'user', key, text, atMs: tick(at), delivery, localId: `local-${key}` });
    },
    notes(notice, at) {
      add({ kind: 'system', key: nextKey(), atMs: tick(at), notice });
    },
    start: () => command('start'),
    hasStoredConversation: () => Promise.resolve(false),
    send(text): SendOutcome {
      const trimmed = text.trim();
      if (trimmed === '') return { status: 'refused', reason: 'blank' };
      commands.push(`send ${trimmed}`);
      fake.suggestions.value = [];
      fake.asks(trimmed, fake.delivery);
      return { status: 'accepted', localId: `local-item-${count}` };
    },
    retry: (localId) => void command(`retry ${localId}`),
    discard: (localId) => void command(`discard ${localId}`),
    answerSurvey(score) {
      commands.push(`answerSurvey ${score}`);
      const survey = fake.survey.peek();
      if (survey) fake.survey.value = { ...survey, status: score === null ? 'skipped' : 'rated' };
    },
    setUnsent(text) {
      fake.unsent.value = text;
    },
    notifyTyping: () => void command('notifyTyping'),
    markRead() {
      fake.unread.value = 0;
    },
    reconnect: () => void command('reconnect'),
    endChat: () =>
      command('endChat', () => {
        fake.session.value = { status: 'ended', by: 'user' };
      }),
    logout: () => command('logout'),
    claim: async (userId) => {
      commands.push(`claim ${userId}`);
      return userId;
    },
    diagnose: async () => ({ missingAgent: null, socket: null }),
    currentSession: () => ({
      sessionId: '',
      contextId: null,
      owner: '',
      submit: async () => ({ status: 0, fields: {}, delayMs: 0 }),
    }),
    newChat: () =>
      command('newChat', () => {
        fake.messages.value = [];
        fake.session.value = { status: 'active' };
      }),
    destroy: () => void command('destroy'),
  };
  return fake;
}
