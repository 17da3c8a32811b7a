import type { CurrentSession } from '../chat-client.ts';
import type { ClockPort } from '../ports.ts';
import type { ProxyAnswer } from '../session/proxy-calls.ts';
import type { ContextHandler, ContextResult } from './create-page-context.ts';

/** How long the handler may take. Source: VCI-5. */
const HANDLER_MS = 4_000;
/** How long handler and submission may take together. Source: VCI-5, VCI-6. */
const TOTAL_MS = 5_000;

const REASONS: ReadonlyMap<unknown, (ContextResult & { status: 'failed' })['reason']> = new Map([
  ['CONTEXT_NOT_ENABLED', 'not_enabled'],
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

/** The handler's result. */
type Answer =
  | { readonly token: string }
  | { readonly declined: keyof typeof WARNINGS; readonly cause?: unknown };

/** Gets a token from the page's handler and submits it to the platform, one run at a time. */
export class ContextVerifier {
  readonly #clock: ClockPort;
  readonly #onResult: (result: ContextResult) => void;
  /** Cancel functions of running timers. */
  readonly #timers = new Set<() => void>();
  #handler: ContextHandler | null = null;
  #isRunning = false;

  constructor(clock: ClockPort, onResult: (result: ContextResult) => void) {
    this.#clock = clock;
    this.#onResult = onResult;
  }

  setHandler(handler: ContextHandler): void {
    this.#handler = handler;
  }

  /** Does nothing without a handler, or during another run. Source: VCI-7, VCI-8. */
  async run(session: CurrentSession): Promise<void> {
    const asked = this.#handler;
    if (!asked || this.#isRunning) return;
    this.#isRunning = true;
    const guard = new AbortController();
    const obtained = this.#obtain(asked, session, guard.signal);
    const result = await this.#within<ContextResult>(TOTAL_MS, obtained, () => {
      guard.abort();
      return { status: 'failed', reason: 'service_unavailable' };
    });
    this.#isRunning = false;
    // Without a handler the context was destroyed meanwhile.
    if (this.#handler) this.#onResult(result);
  }

  /** Releases the handler and every timer. */
  destroy(): void {
    this.#handler = null;
    for (const cancel of this.#timers) cancel();
  }

  async #obtain(run: ContextHandler, session: CurrentSession, signal: AbortSignal): Promise<ContextResult> {
    const answer = await this.#ask(run, session);
    if ('declined' in answer) {
      const { declined, ...rest } = answer;
      console.warn(
        `Natter: the chat continues without verified context, because the onContextRequired handler ${WARNINGS[declined]}.`,
        ...Object.values(rest),
      );
      return { status: 'declined', reason: declined };
    }
    // A token without a context could never match. Source: VCI-9.
    if (session.contextId === null) return { status: 'failed', reason: 'not_enabled' };
    return toResult(await session.submit(answer.token, signal));
  }

  /** Resolves with the handler's token, or the reason why there is none. Source: VCI-4, VCI-5. */
  async #ask(run: ContextHandler, { sessionId, contextId }: CurrentSession): Promise<Answer> {
    const asked = (async () => {
      const token = await run({ sessionId, contextId: contextId ?? undefined });
      return typeof token === 'string' && token ? { token } : { declined: 'no_token' as const };
    })().catch((cause: unknown) => ({ declined: 'handler_failed' as const, cause }));
    return this.#within<Answer>(HANDLER_MS, asked, () => ({ declined: 'timed_out' }));
  }

  /** Resolves with `answer`, or with the value of `giveUp` when the time is over. */
  async #within<Value>(timeMs: number, answer: Promise<Value>, giveUp: () => Value): Promise<Value> {
    let cancel = (): void => {};
    const late = new Promise<Value>((resolve) => {
      cancel = this.#clock.setTimer(() => resolve(giveUp()), timeMs);
    });
    this.#timers.add(cancel);
    const value = await Promise.race([answer, late]);
    cancel();
    this.#timers.delete(cancel);
    return value;
  }
}
