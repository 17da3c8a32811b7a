import type { HandoffAction } from '../../src/agents/index.ts';
import { Handoff } from '../../src/handoff/session/handoff.ts';
import type {
  HandoffLink,
  HandoffProvider,
  HandoffRequest,
  HandoffResumption,
  HandoffSession,
} from '../../src/handoff/session/handoff-provider.ts';
import type { MessagingConnector } from '../../src/realtime/conversation/connector.ts';
import { createFakeSession } from './fake-session.ts';

/** How long a test's hand-off waits for a person. */
export const TIMEOUT_MS = 600_000;
export const GRACE = { id: 'agent-7', name: 'Grace', avatarUrl: null };
const ACTION: HandoffAction = {
  type: 'handoff',
  destination: 'desk',
  reason: 'COMPLEX_QUERY',
  managed: 'server',
};

/** A hand-off that the page manages. */
export const PAGE: HandoffProvider = { managed: 'client', serves: () => true };

/** Resolves when all that needs no timer is done. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A desk that knows one hand-off, and opens another when the test says so. */
export function createDesk() {
  const desk = {
    requests: [] as HandoffRequest[],
    resumptions: [] as HandoffResumption[],
    sent: [] as string[],
    typed: [] as string[],
    closed: [] as string[],
    session: null as HandoffSession | null,
    knows: true,
    opening: Promise.resolve(),
    sending: (_text: string): Promise<void> => Promise.resolve(),
  };
  const link: HandoffLink = {
    reference: { ticket: 1 },
    async sendMessage({ text }) {
      await desk.sending(text);
      desk.sent.push(text);
    },
    sendTyping: (state) => desk.typed.push(state),
    close: (reason) => desk.closed.push(reason),
  };
  const provider: HandoffProvider = {
    managed: 'server',
    serves: () => true,
    async open(request, session) {
      desk.requests.push(request);
      desk.session = session;
      await desk.opening;
      return link;
    },
    async resume(request, session) {
      desk.resumptions.push(request);
      desk.session = session;
      await desk.opening;
      return desk.knows ? link : null;
    },
  };
  return Object.assign(desk, { provider });
}

/** The hand-offs of one session, whose log is a list. */
export function createFlow(
  providers: readonly HandoffProvider[],
  onHandoffFailure: MessagingConnector['onHandoffFailure'] = 'rejoin',
) {
  const session = createFakeSession({
    handoffProviders: providers,
    connector: {
      ...{ id: 'connector', projectId: 'PROJECT-1', handoff: 'desk' },
      ...{ onHandoffFailure, handoffTimeoutMs: TIMEOUT_MS, handoffRoute: null },
    },
  });
  const { clock, queue } = session;
  const flow = new Handoff(session);
  const seen = {
    get types() {
      return all().flatMap(({ types }) => types);
    },
    get payloads() {
      return all().flatMap(({ payloads }) => payloads);
    },
    get records() {
      return session.seen.appended.map(({ effects }) => effects?.record);
    },
    ...session.seen,
  };
  const all = () => [...session.seen.appended, ...session.seen.ends];
  const resume = (state: 'handoff' | 'live', handoff: unknown): void => {
    session.row = { ...session.row, state, handoff };
    flow.resume(state);
  };
  const begin = (action: Partial<HandoffAction> = {}): Promise<void> =>
    flow.begin({ ...ACTION, ...action }, [], {
      session: { agentState: 7 },
      record: { id: 'CONV-1' },
      endTurn: { id: 'the turn that asked' },
    });
  return { flow, session, clock, queue, seen, begin, resume };
}
