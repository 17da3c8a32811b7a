import { type Signal, signal } from '@preact/signals-core';
import type {
  Attachment,
  CallAction,
  Chat,
  ChatServices,
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
} from '../../src/client/index.ts';

export const ADA: Speaker = { kind: 'agent', id: null, name: 'Ada', avatarUrl: null };
export const MAREN: Speaker = { kind: 'live_agent', id: 'maren', name: 'Maren Voss', avatarUrl: null };

/** Content of an agent's message besides its text. */
export interface FakeMessage {
  readonly speaker?: Speaker;
  readonly isStreaming?: boolean;
  readonly isStopped?: true;
  readonly atMs?: number;
  readonly attachments?: readonly Attachment[];
  readonly callActions?: readonly CallAction[];
}

/** A chat client that the test controls: it sets the state, and reads the commands. */
export interface FakeChat extends Chat {
  readonly connection: Signal<ConnectionStatus>;
  readonly session: Signal<SessionStatus>;
  readonly messages: Signal<readonly Signal<TranscriptItem>[]>;
  readonly speaker: Signal<Speaker | null>;
  readonly typing: Signal<TypingStatus>;
  readonly queue: Signal<QueueStatus | null>;
  readonly canCancelHandoff: Signal<boolean>;
  readonly canStopAnswer: Signal<boolean>;
  readonly canGiveFeedback: Signal<boolean>;
  readonly canRequestContact: Signal<boolean>;
  readonly survey: Signal<Survey | null>;
  readonly suggestions: Signal<readonly Suggestion[]>;
  readonly unread: Signal<number>;
  readonly language: Signal<string | null>;
  readonly unsent: Signal<string>;
  /** Every command, in order. */
  readonly commands: readonly string[];
  /** How often the messages were marked as read. */
  readonly reads: Signal<number>;
  /** The delivery state that `send` gives a new message. Default sent. */
  delivery: DeliveryStatus;
  says(text: string, message?: FakeMessage): Signal<TranscriptItem>;
  asks(text: string, delivery?: DeliveryStatus, atMs?: number): Signal<TranscriptItem>;
  notes(notice: SystemNotice, atMs?: number): void;
}

/** Creates a scripted replacement of the headless client. */
export function createFakeChat(startAtMs: number = Date.now()): FakeChat {
  const commands: string[] = [];
  const reads = signal(0);
  const state = createFakeState();
  const transcript = createFakeTranscript(state, startAtMs);
  const delivery: DeliveryStatus = { status: 'sent' };
  const fake: FakeChat = {
    ...state,
    ...transcript,
    ...createFakeCommands(state, commands),
    commands,
    reads,
    markRead() {
      reads.value += 1;
      state.unread.value = 0;
    },
    delivery,
    send(text): SendOutcome {
      const trimmed = text.trim();
      if (trimmed === '') return { status: 'refused', reason: 'blank' };
      commands.push(`send ${trimmed}`);
      fake.suggestions.value = [];
      const { key } = transcript.asks(trimmed, fake.delivery).peek();
      return { status: 'accepted', localId: `local-${key}` };
    },
  };
  return fake;
}

/** Accepts pictures and PDFs; every upload succeeds at once. Tests replace its functions. */
export const FAKE_SERVICES: ChatServices = {
  visitors: signal(0),
  readSearchLimits: async () => null,
  searchHelp: async () => [],
  readArticle: async () => null,
  past: {
    ...{ list: async () => [], keep: async () => {}, forget: async () => {} },
    ...{ noteContinued: async () => {}, readContinued: async () => null },
  },
  readVisitorData: async () => ({ platform: { status: 'none' }, browser: null }),
  eraseVisitorData: async () => 'erased',
  readFileLimits: async () => ({ maxBytes: 5_000_000, types: ['image/png', 'application/pdf'] }),
  uploadFile: async ({ name }) => ({ status: 'uploaded', url: `https://chat.example/files/1/${name}` }),
};

type FakeState = ReturnType<typeof createFakeState>;

function createFakeState() {
  return {
    connection: signal<ConnectionStatus>({ status: 'open' }),
    session: signal<SessionStatus>({ status: 'active' }),
    messages: signal<readonly Signal<TranscriptItem>[]>([]),
    hasLostConnection: signal(false),
    speaker: signal<Speaker | null>(ADA),
    typing: signal<TypingStatus>(null),
    queue: signal<QueueStatus | null>(null),
    canCancelHandoff: signal(false),
    canStopAnswer: signal(false),
    canGiveFeedback: signal(false),
    canRequestContact: signal(false),
    survey: signal<Survey | null>(null),
    suggestions: signal<readonly Suggestion[]>([]),
    unread: signal(0),
    language: signal<string | null>(null),
    unsent: signal(''),
  };
}

/** Adds entries to the transcript, one second apart. */
function createFakeTranscript(
  state: FakeState,
  startAtMs: number,
): Pick<FakeChat, 'says' | 'asks' | 'notes'> {
  let count = 0;
  let lastAtMs = startAtMs;
  const add = (item: TranscriptItem): Signal<TranscriptItem> => {
    const entry = signal(item);
    state.messages.value = [...state.messages.peek(), entry];
    return entry;
  };
  const base = (atMs = lastAtMs + 1_000): { readonly key: string; readonly atMs: number } => {
    lastAtMs = atMs;
    count += 1;
    return { key: `item-${count}`, atMs };
  };
  const named = (at: ReturnType<typeof base>) => ({ ...at, messageId: at.key });
  return {
    says: (
      text,
      { speaker, isStreaming = false, isStopped, atMs, attachments = [], callActions = [] } = {},
    ) =>
      add({
        kind: 'agent',
        ...named(base(atMs)),
        speaker: speaker ?? state.speaker.peek() ?? ADA,
        text,
        isStreaming,
        ...(isStopped && { isStopped }),
        attachments,
        callActions,
      }),
    asks(text, delivery = { status: 'sent' }, atMs) {
      const { key, ...at } = base(atMs);
      return add({ kind: 'user', key, ...at, text, delivery, localId: `local-${key}` });
    },
    notes(notice, atMs) {
      add({ kind: 'system', ...base(atMs), notice });
    },
  };
}

/** Records each command, and changes the state as the platform's answer would. */
function createFakeCommands(
  state: FakeState,
  commands: string[],
): Omit<Chat, keyof FakeState | 'send' | 'markRead'> {
  const command = (name: string, done: () => void = () => {}) => {
    commands.push(name);
    done();
    return Promise.resolve();
  };
  return {
    start: () => command('start'),
    hasStoredConversation: () => Promise.resolve(false),
    retry: (localId) => void command(`retry ${localId}`),
    discard: (localId) => void command(`discard ${localId}`),
    answerSurvey(score, comment) {
      const survey = state.survey.peek();
      if (survey?.status !== 'open') return;
      commands.push(`answerSurvey ${score} ${comment ?? ''}`.trim());
      state.survey.value = { ...survey, status: score === null ? 'skipped' : 'rated' };
    },
    cancelHandoff: () => void command('cancelHandoff'),
    stopAnswer: () => void command('stopAnswer'),
    feedback(messageId, rating, reason = '') {
      commands.push(`feedback ${messageId} ${rating} ${reason}`.trim());
      for (const entry of state.messages.peek()) {
        const item = entry.peek();
        if (item.kind !== 'agent' || item.messageId !== messageId) continue;
        const { feedback: _earlier, ...rest } = item;
        const delivery = { status: 'sent' } as const;
        entry.value = rating ? { ...rest, feedback: { rating, reason: reason || null, delivery } } : rest;
      }
    },
    requestContact: async ({ name, email, text }) => {
      commands.push(`requestContact ${[name, email, text].join(', ')}`);
      return email.endsWith('.example') ? 'failed' : 'sent';
    },
    setUnsent(text) {
      state.unsent.value = text;
    },
    notifyTyping: () => void command('notifyTyping'),
    reconnect: () => void command('reconnect'),
    endChat: () =>
      command('endChat', () => {
        state.session.value = { status: 'ended', by: 'user' };
      }),
    logout: () => command('logout'),
    claim: async (userId) => {
      commands.push(`claim ${userId}`);
      return userId;
    },
    diagnose: async () => ({ missingAgent: null, socket: null }),
    services: async () => FAKE_SERVICES,
    currentSession: () => ({
      sessionId: '',
      contextId: null,
      owner: '',
      isOwn: true,
      submit: async () => ({ status: 0, fields: {}, delayMs: 0 }),
    }),
    newChat: () =>
      command('newChat', () => {
        state.messages.value = [];
        state.session.value = { status: 'active' };
      }),
    destroy: () => void command('destroy'),
  };
}
