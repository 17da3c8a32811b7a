/*
 * The page's metadata about its visitor. A separate file, loaded when a page first sets some.
 *
 * identify, setContext   unsigned: metadata of the join and of every message (MET-1). Any script can set it.
 * onContextRequired      signed: the page's backend signs it for one session, the platform checks it (VCI-1 to VCI-11).
 *
 * A page's metadata only counts for the user that it has named. It is not sent if another tab has named another user since.
 */
import type { CustomMap } from '../../protocol/index.ts';
import type { ChatClient, ContextProvider, CurrentSession } from '../chat-client.ts';
import type { ClockPort } from '../ports.ts';
import { ContextVerifier } from './context-verifier.ts';
import { readFacts, readHandler, readUser } from './read-page-context.ts';
import { addFitting, type PageFacts, toCustom } from './to-custom.ts';

/** The page's user. */
export interface PageUser extends PageFacts {
  /** Any stable name of the user. Sent as `user_id`; the browser only stores its SHA-256 hash. */
  readonly id: string;
}

/** Gets a token from the page's backend; anything but a non-empty string declines. Source: VCI-2, VCI-4, VCI-9. */
export type ContextHandler = (session: {
  readonly sessionId: string;
  readonly contextId: string | undefined;
}) => unknown;

/** Result of one run of the handler. */
export type ContextResult =
  | { readonly status: 'accepted' }
  | {
      readonly status: 'declined';
      /** It returned no token, threw or rejected, or took more than 4 s. */
      readonly reason: 'no_token' | 'handler_failed' | 'timed_out';
    }
  | {
      readonly status: 'failed';
      /**
       * The project has no signing key; signature, times, subject or attributes are wrong; over 16384 bytes; the
       * conversation is over; proxy or platform did not answer in time, or are busy.
       */
      readonly reason:
        | 'not_enabled'
        | 'invalid_token'
        | 'token_too_large'
        | 'session_over'
        | 'service_unavailable';
    };

/** The page's data about its visitor. */
export interface PageContext extends Required<ContextProvider> {
  /**
   * Sets the visitor's user, replacing earlier attributes, and claims the conversation for them (`claim` of the
   * client). Rejects with a `TypeError` if there is no id, or the attributes are too many or too long.
   */
  identify(user: PageUser): Promise<void>;
  /**
   * Sets metadata of the page, replacing earlier metadata. Throws a `TypeError` if the attributes are too many or too
   * long.
   */
  setContext(facts: PageFacts): void;
  /** Sets the handler; the last one counts. Source: VCI-2. */
  onContextRequired(handler: ContextHandler): void;
  /** Runs the handler again for the current conversation. Source: VCI-8. */
  refreshVerifiedContext(): Promise<void>;
  /** Releases the handler and every timer. Results of running calls are dropped. */
  destroy(): void;
}

export interface PageContextOptions {
  readonly chat: Pick<ChatClient, 'claim' | 'currentSession'>;
  readonly clock: ClockPort;
  readonly onResult: (result: ContextResult) => void;
  /** Metadata beside the page's, as far as it fits. */
  readonly added?: () => readonly CustomMap[];
}

/** Stores a page's data about its visitor, and has it verified. */
export function createPageContext({
  chat,
  clock,
  onResult,
  added = () => [],
}: PageContextOptions): PageContext {
  const verifier = new ContextVerifier(clock, onResult);
  let user: CustomMap = {};
  let page: CustomMap = {};

  function metadataFor(session: CurrentSession): CustomMap | undefined {
    // Without an owner no user is signed in: the page's metadata still counts, the user's do not.
    const own = { ...(session.owner && user), ...page };
    const metadata = added().reduce(addFitting, own);
    return session.isOwn && Object.keys(metadata).length > 0 ? metadata : undefined;
  }

  return {
    async identify(given) {
      const next = readUser(given);
      toCustom({ ...next, ...page });
      user = next;
      await chat.claim(next['user_id'] ?? '');
    },
    setContext(facts) {
      const next = readFacts(facts);
      toCustom({ ...user, ...next });
      page = next;
    },
    onContextRequired: (handler) => verifier.setHandler(readHandler(handler)),
    async refreshVerifiedContext() {
      const session = chat.currentSession();
      if (session.sessionId && session.contextId !== null && session.isOwn) await verifier.run(session);
    },
    pageContext: () => metadataFor(chat.currentSession()),
    async beforeJoin(session) {
      if (session.isOwn) await verifier.run(session);
      return metadataFor(session);
    },
    destroy: () => verifier.destroy(),
  };
}
