import { readFaultName } from '../kit/read-fault-name.ts';
import { readRetryAfterMs } from '../kit/retry-policy.ts';
import type { UpstreamSession } from '../upstream/call-session.ts';
import type { CallBudget } from '../upstream/call-upstream.ts';
import type { Handshake, HandshakeAnswer } from './handshake.ts';
import type { SocketReach } from './socket-reach.ts';

/** What became of a handshake that the browser could not explain. Source: messaging.md 4.1, CLS-1. */
export interface ProbeBody {
  /**
   * `accepted`: the session is well, and something between the browser and the messaging host keeps sockets from it. `refused`: it
   * cannot be used any more. `busy`: it can be, after a while. `unreachable`: the host is away or fails, or its socket is.
   * `unknown`: the host is up, and this proxy has never had a way to try its socket.
   */
  readonly handshake: 'accepted' | 'refused' | 'busy' | 'unreachable' | 'unknown';
  /** Whether this connector has a chat without a socket to turn to; with `accepted`. */
  readonly has_chat?: boolean;
  /** HTTP status of the handshake; absent when there was none. */
  readonly status?: number;
  /** `origin`: the platform takes the session, and not from this page; with `refused`. Source: WS-7. */
  readonly reason?: 'origin';
  /** The network's name for what kept the proxy from the socket, such as `ECONNREFUSED`; where it got no answer. */
  readonly fault?: string;
  /** Whole seconds, at least 1; with `busy`. */
  readonly retry_after_seconds?: number;
}

interface ProbeOptions {
  readonly reach: SocketReach;
  /** `wss://host/ws`, without parameters. */
  readonly websocketUrl: string;
  /** Whether the messaging host says that it is ready. Never rejects. */
  readonly isPlatformUp: () => Promise<boolean>;
  readonly attemptTimeoutMs: number;
}

// Beyond the last event of any session, so that nothing is replayed to this unread socket. Source: CUR-3.
const LAST_CURSOR = Number.MAX_SAFE_INTEGER;

/** 429 is the only temporary rejection; 403 reads as 401 (HTTP-6). */
function judge(status: number): ProbeBody['handshake'] {
  if (status === 101) return 'accepted';
  if (status === 429) return 'busy';
  return status >= 400 && status < 500 ? 'refused' : 'unreachable';
}

/**
 * Tries the handshake that the page failed to make, under the page's own origin (WS-7), and says how it went. The pair travels to
 * the configured host only, and nothing of it comes back. Throws the budget's reason when that aborts.
 */
export async function probeSession(
  { reach, websocketUrl, isPlatformUp, attemptTimeoutMs }: ProbeOptions,
  { sessionId, accessToken }: UpstreamSession,
  origin: string | null,
  budget: CallBudget,
): Promise<ProbeBody> {
  const parameters = new URLSearchParams({
    session_id: sessionId,
    access_token: accessToken,
    cursor: String(LAST_CURSOR),
  });
  const url = `${websocketUrl.replace(/^ws/, 'http')}?${parameters}`;
  let fault: string | undefined;
  const timeout = AbortSignal.timeout(attemptTimeoutMs);
  const attempt = (handshake: Handshake, from: string | null): Promise<HandshakeAnswer> =>
    handshake(url, { origin: from, signal: AbortSignal.any([budget.signal, timeout]) });
  try {
    if (reach.handshake !== undefined) {
      const { status, retryAfter } = await attempt(reach.handshake, origin);
      const verdict = judge(status);
      if (origin !== null && (status === 401 || status === 403)) {
        // Without an origin the token alone decides: when that is taken, it was the page that was refused.
        const other = await attempt(reach.handshake, null).catch(() => null);
        budget.signal.throwIfAborted();
        return { handshake: verdict, status, ...(other?.status === 101 && { reason: 'origin' }) };
      }
      // Every other request there goes to a server that is not the messaging host.
      if (status === reach.wrongStatus())
        return { handshake: 'unreachable', status, fault: `status ${status}` };
      if (verdict !== 'busy') return { handshake: verdict, status };
      const seconds = Math.max(1, Math.ceil(readRetryAfterMs(retryAfter) / 1_000));
      return { handshake: verdict, status, retry_after_seconds: seconds };
    }
  } catch (error) {
    // The error's text may hold the address with the token, so only its name is passed on.
    budget.signal.throwIfAborted();
    fault = readFaultName(error, timeout);
  }
  // A host that is up and never could be tried: many a server does not reach its own public address.
  const isUnknown = !reach.hasAnswered() && (await isPlatformUp());
  return { handshake: isUnknown ? 'unknown' : 'unreachable', ...(fault !== undefined && { fault }) };
}
