import type { OutgoingEvent } from 'natter/protocol';
import type { Agent } from '../../src/agents/index.ts';
import type { HandoffProvider } from '../../src/handoff/session/handoff-provider.ts';
import { createInProcessBus } from '../../src/realtime/bus/index.ts';
import type { MessagingConnector } from '../../src/realtime/conversation/connector.ts';
import type { ClientEventDraft } from '../../src/realtime/conversation/event-draft.ts';
import type { SessionPort, WaitingTurn } from '../../src/realtime/conversation/session-port.ts';
import type { AppendEffects, SessionPatch, StoredSession } from '../../src/realtime/event-log/index.ts';
import type { MessagingContext } from '../../src/realtime/messaging-context.ts';
import { DEFAULT_MESSAGING_LIMITS } from '../../src/realtime/messaging-limits.ts';
import { SerialQueue } from '../../src/realtime/sessions/serial-queue.ts';
import type { SessionTraceEvent } from '../../src/realtime/trace/index.ts';
import { ConversationHistory } from '../../src/realtime/turns/conversation-history.ts';
import { createSkippingClock, type SkippingClock } from './skipping-clock.ts';

/** One append of a fake session. */
export interface FakeAppend {
  readonly types: readonly string[];
  readonly payloads: readonly unknown[];
  readonly effects: AppendEffects | undefined;
}

/** A session whose log is a list; tests change it and read what its turns and hand-offs did. */
export interface FakeSession extends SessionPort {
  row: StoredSession;
  hasAgentJoined: boolean;
  readonly clock: SkippingClock;
  readonly queue: SerialQueue;
  readonly history: ConversationHistory;
  /** Answers the turns; `null`: the platform does not have the agent. */
  agent: Agent | null;
  /** The error of every append from now on. */
  failure: Error | null;
  /** While set, appends wait for it. */
  storing: Promise<void> | null;
  /** While set, appends find this event in the log, under the name of their draft. */
  stored: OutgoingEvent | null;
  waiting: readonly WaitingTurn[];
  readonly seen: {
    readonly appended: FakeAppend[];
    /** The patches of the row that were stored. */
    readonly patches: (SessionPatch | undefined)[];
    readonly transients: string[];
    readonly results: string[];
    readonly durations: number[];
    readonly failures: string[];
    readonly discarded: unknown[];
    readonly handoffs: unknown[];
    readonly ends: FakeAppend[];
    /** Calls that lead out of a hand-off, in order. */
    readonly steps: string[];
  };
}

/** Makes a session in the middle of a conversation. */
export function createFakeSession(
  options: {
    readonly row?: Partial<StoredSession>;
    readonly connector?: Partial<MessagingConnector>;
    readonly handoffProviders?: readonly HandoffProvider[];
    readonly context?: Partial<MessagingContext>;
  } = {},
): FakeSession {
  const clock = createSkippingClock();
  const queue = new SerialQueue();
  const history = new ConversationHistory(DEFAULT_MESSAGING_LIMITS.historyBytes);
  const seen: FakeSession['seen'] = {
    appended: [],
    patches: [],
    transients: [],
    results: [],
    durations: [],
    failures: [],
    discarded: [],
    handoffs: [],
    ends: [],
    steps: [],
  };
  const note = (drafts: readonly ClientEventDraft[], effects: AppendEffects | undefined): FakeAppend => ({
    types: drafts.map(({ type }) => type.replace('EVENT_TYPE_', '')),
    payloads: drafts.map(({ payload }) => payload),
    effects,
  });
  const context = {
    clock,
    limits: DEFAULT_MESSAGING_LIMITS,
    bus: createInProcessBus(),
    agentFor: () => session.agent,
    handoffProviders: options.handoffProviders ?? [],
    observer: {
      failed: (what: string, error: unknown) => void seen.failures.push(`${what}: ${String(error)}`),
      happened(_: string, fact: SessionTraceEvent) {
        if (fact.kind !== 'turn_ended') return;
        seen.results.push(fact.result);
        seen.durations.push(fact.ms);
      },
    },
    ...options.context,
  } as unknown as MessagingContext;
  const session: FakeSession = {
    context,
    clock,
    queue,
    history,
    seen,
    agent: null,
    failure: null,
    storing: null,
    stored: null,
    waiting: [],
    hasAgentJoined: false,
    hasUserMessage: true,
    row: {
      id: 'session',
      streaming: false,
      state: 'active',
      conversationStatus: 'running',
      conversationId: 'CONV-1',
      agentState: null,
      contextVault: null,
      language: null,
      variantId: '',
      traceParent: null,
      ...options.row,
    } as StoredSession,
    epoch: options.row?.ownerEpoch ?? null,
    connector: { agent: 'ada', variants: [], language: 'en', ...options.connector } as MessagingConnector,
    readInput: async (turn) => turn,
    historyBefore: (sequence) => history.entriesBefore(sequence),
    async append(drafts, effects) {
      if (session.failure !== null) throw session.failure;
      if (session.storing !== null) await session.storing;
      if (session.stored !== null) return { status: 'repeated', original: session.stored };
      const appended = note(drafts, effects);
      seen.appended.push(appended);
      seen.patches.push(effects?.session);
      if (appended.types.includes('AGENT_JOINED')) session.hasAgentJoined = true;
      session.row = { ...session.row, ...(effects?.session as Partial<StoredSession> | undefined) };
      return { status: 'appended', events: [], turn: null };
    },
    notify: (type) => void seen.transients.push(type.replace('EVENT_TYPE_', '')),
    runExclusive: (task) => queue.run(task),
    async endNaturally(drafts, effects) {
      if (session.failure !== null) throw session.failure;
      seen.steps.push('ended');
      seen.ends.push(note(drafts, effects));
    },
    async startHandoff(action, answer, effects) {
      // A hand-off begins with AGENT_LEFT.
      session.hasAgentJoined = false;
      seen.handoffs.push({ action, answer, effects });
    },
    takeWaitingMessages() {
      seen.steps.push('messages are forwarded');
      return session.waiting;
    },
    resumeAgent: () => void seen.steps.push('the agent answers'),
    discard: (error) => void seen.discarded.push(error),
    report: (what, error) => void seen.failures.push(`${what}: ${String(error)}`),
  };
  return session;
}
