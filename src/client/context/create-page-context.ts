/*
 * What a page says about its visitor, in a file of its own that loads when a page first says something.
 *
 * identify, setContext       plain words: metadata of the join and of every message (MET-1). Any script can write them.
 * onContextRequired          signed words: the page's backend signs them for one session, the platform checks them (VCI-1 to VCI-11).
 *
 * A page speaks only for the user it named: where another tab has named another since, what this one says is not sent.
 */
import type { CustomMap } from '../../protocol/index.ts';
import type { ChatClient, CurrentSession, PageWords } from '../chat-client.ts';
import type { ClockPort } from '../ports.ts';
import type { ProxyAnswer } from '../session/proxy-calls.ts';
import { readFacts, readHandler, readUser } from './read-words.ts';
import { type PageFacts, toCustom } from './to-custom.ts';

/** The visitor as the page knows them. */
export interface PageUser extends PageFacts {
  /** Any name of the user that stays the same. Goes along as `user_id`; kept in the browser is a SHA-256 hash of it. */
  readonly id: string;
}

/** Gets a token from the page's backend; anything but a non-empty string declines. Source: VCI-2, VCI-4, VCI-9. */
export type ContextHandler = (session: {
  readonly sessionId: string;
  readonly contextId: string | undefined;
}) => unknown;

/** What became of one run of the handler. */
export type ContextResult =
  | { readonly status: 'accepted' }
  | {
      readonly status: 'declined';
      /** It gave no token; it threw or rejected; it took more than 4 s. */
      readonly reason: 'no_token' | 'handler_failed' | 'timed_out';
    }
  | {
      readonly status: 'failed';
      /**
       * The project has no signing key; signature, times, subject or facts are wrong; over 16384 bytes; the conversation is
       * over; proxy or platform did not answer in time, or are busy.
       */
      readonly reason:
        | 'not_enabled'
        | 'invalid_token'
        | 'token_too_large'
        | 'session_over'
        | 'service_unavailable';
    };

/** The page's words about its visitor. */
export interface PageContext extends Required<PageWords> {
  /**
   * Says who the visitor is, in place of earlier facts, and that the conversation is theirs (`claim` of the client). Rejects
   * with a `TypeError` where there is no id, or the facts are too many or too long.
   */
  identify(user: PageUser): Promise<void>;
  /** Facts of the page, in place of those given before. Throws a `TypeError` where they are too many or too long. */
  setContext(facts: PageFacts): void;
  /** One handler: the last one counts. Source: VCI-2. */
  onContextRequired(handler: ContextHandler): void;
  /** Runs the handler again for the running conversation. Source: VCI-8. */
  refreshVerifiedContext(): Promise<void>;
  /** Releases the handler and every timer. Results of running calls are dropped. */
  destroy(): void;
}

export interface PageContextOptions {
  readonly chat: Pick<ChatClient, 'claim' | 'currentSession'>;
  readonly clock: ClockPort;
  readonly onResult: (result: ContextResult) => void;
}

/** How long the handler may take. Source: VCI-5. */
const HANDLER_MS = 4_000;
/** How long handler and submission may take together. Source: VCI-5, VCI-6. */
const TOTAL_MS = 5_000;

const REASONS: ReadonlyMap<unknown, (ContextResult & { status: 'failed' })['reason']> = new Map([
  ['CONTEXT_NOT_ENABLED', 'not_enabled'],
  // A proxy of an earlier release has no such route.
  ['NOT_FOUND', 'not_enabled'],
  ['INVALID_CONTEXT_TOKEN', 'invalid_token'],
  ['CONTEXT_TOKEN_TOO_LARGE', 'token_too_large'],
  ['PAYLOAD_TOO_LARGE', 'token_too_large'],
  ['SESSION_NOT_FOUND', 'session_over'],
  ['RESUME_TICKET_INVALID', 'session_over'],
]);

const WARNINGS = {
  no_token: 'gave no token',
  handler_failed: 'failed',
  timed_out: `took more than ${HANDLER_MS / 1000} s`,
} as const;

const toResult = ({ status, fields }: ProxyAnswer): ContextResult =>
  status >= 200 && status < 300
    ? { status: 'accepted' }
    : { status: 'failed', reason: REASONS.get(fields['code']) ?? 'service_unavailable' };

/** The handler's answer. */
type Answer =
  | { readonly token: string }
  | { readonly declined: keyof typeof WARNINGS; readonly cause?: unknown };

/** Keeps what a page says about its visitor, and has it checked. */
export function createPageContext({ chat, clock, onResult }: PageContextOptions): PageContext {
  /** Cancels of timers that run. */
  const timers = new Set<() => void>();
  let handler: ContextHandler | null = null;
  let own = '';
  let user: CustomMap = {};
  let page: CustomMap = {};
  let isRunning = false;

  /** What `answer` comes to, or what `giveUp` says once the time is over. */
  async function within<Value>(timeMs: number, answer: Promise<Value>, giveUp: () => Value): Promise<Value> {
    let cancel = (): void => {};
    const late = new Promise<Value>((resolve) => {
      cancel = clock.setTimer(() => resolve(giveUp()), timeMs);
    });
    timers.add(cancel);
    const value = await Promise.race([answer, late]);
    cancel();
    timers.delete(cancel);
    return value;
  }

  /** The handler's token, or why there is none. Source: VCI-4, VCI-5. */
  async function ask(run: ContextHandler, { sessionId, contextId }: CurrentSession): Promise<Answer> {
    const asked = (async () => {
      const token = await run({ sessionId, contextId: contextId ?? undefined });
      return typeof token === 'string' && token ? { token } : { declined: 'no_token' as const };
    })().catch((cause: unknown) => ({ declined: 'handler_failed' as const, cause }));
    return within<Answer>(HANDLER_MS, asked, () => ({ declined: 'timed_out' }));
  }

  async function obtain(
    run: ContextHandler,
    session: CurrentSession,
    signal: AbortSignal,
  ): Promise<ContextResult> {
    const answer = await ask(run, session);
    if ('declined' in answer) {
      const { declined, ...rest } = answer;
      console.warn(
        `Natter: the chat goes on without verified context: the onContextRequired handler ${WARNINGS[declined]}.`,
        ...Object.values(rest),
      );
      return { status: 'declined', reason: declined };
    }
    // A token for no context could never match. Source: VCI-9.
    if (session.contextId === null) return { status: 'failed', reason: 'not_enabled' };
    return toResult(await session.submit(answer.token, signal));
  }

  /** Source: VCI-7, VCI-8. */
  async function run(session: CurrentSession): Promise<void> {
    const asked = handler;
    if (!asked || isRunning) return;
    isRunning = true;
    const guard = new AbortController();
    const result = await within<ContextResult>(TOTAL_MS, obtain(asked, session, guard.signal), () => {
      guard.abort();
      return { status: 'failed', reason: 'service_unavailable' };
    });
    isRunning = false;
    // Without a handler the context was destroyed meanwhile.
    if (handler) onResult(result);
  }

  /** False where another tab has named another user since. */
  const isHeard = ({ owner }: CurrentSession): boolean => owner === own || owner === '';

  function factsFor(session: CurrentSession): CustomMap | undefined {
    // Without an owner no user is signed in: the page's facts still count, the user's do not.
    const facts = { ...(session.owner && user), ...page };
    return isHeard(session) && Object.keys(facts).length > 0 ? facts : undefined;
  }

  return {
    async identify(given) {
      const next = readUser(given);
      toCustom({ ...next, ...page });
      user = next;
      own = await chat.claim(next['user_id'] ?? '');
    },
    setContext(facts) {
      const next = readFacts(facts);
      toCustom({ ...user, ...next });
      page = next;
    },
    onContextRequired(next) {
      handler = readHandler(next);
    },
    async refreshVerifiedContext() {
      const session = chat.currentSession();
      if (session.sessionId && session.contextId !== null && isHeard(session)) await run(session);
    },
    pageContext: () => factsFor(chat.currentSession()),
    async beforeJoin(session) {
      if (isHeard(session)) await run(session);
      return factsFor(session);
    },
    destroy() {
      handler = null;
      for (const cancel of timers) cancel();
    },
  };
}
