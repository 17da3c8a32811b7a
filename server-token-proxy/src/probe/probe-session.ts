import { readFaultName } from '../kit/read-fault-name.ts';
import { readRetryAfterMs } from '../kit/retry-policy.ts';
import type { UpstreamSession } from '../upstream/call-session.ts';
import type { CallBudget } from '../upstream/call-upstream.ts';
import type { Handshake, HandshakeAnswer } from './handshake.ts';
import type { SocketReach } from './socket-reach.ts';

/** Result of a handshake whose failure the browser could not explain. Source: messaging.md 4.1, CLS-1. */
export interface ProbeBody {
  /**
   * `accepted`: the session is valid, and something between browser and messaging host blocks sockets. `refused`: the
   * session is no longer usable. `busy`: it will be, after a while. `unreachable`: the host or its socket is down or
   * failing. `unknown`: the host is up, and this proxy has never been able to reach its socket.
   */
  readonly handshake: 'accepted' | 'refused' | 'busy' | 'unreachable' | 'unknown';
  /** Whether this connector offers a chat without a socket. Only present if the handshake was accepted. */
  readonly has_chat?: boolean;
  /** HTTP status of the handshake; absent when there was none. */
  readonly status?: number;
  /** `origin`: the platform accepts the session, but not from this page; with `refused`. Source: WS-7. */
  readonly reason?: 'origin';
  /** Network error code that kept the proxy from the socket, such as `ECONNREFUSED`; if there was no response. */
  readonly fault?: string;
  /** Whole seconds, at least 1; with `busy`. */
  readonly retry_after_seconds?: number;
}

interface ProbeOptions {
  readonly reach: SocketReach;
  /** `wss://host/ws`, without parameters. */
  readonly websocketUrl: string;
  /** Whether the messaging host reports that it is ready. Never rejects. */
  readonly isPlatformUp: () => Promise<boolean>;
  readonly attemptTimeoutMs: number;
}

// Beyond the last event of any session, so that nothing is replayed to this unread socket. Source: CUR-3.
const LAST_CURSOR = Number.MAX_SAFE_INTEGER;

/** 429 is the only temporary rejection; 403 is treated as 401 (HTTP-6). */
function judge(status: number): ProbeBody['handshake'] {
  if (status === 101) return 'accepted';
  if (status === 429) return 'busy';
  return status >= 400 && status < 500 ? 'refused' : 'unreachable';
}

/**
 * Tries the handshake that the page failed to make, with the page's origin (WS-7), and reports the result. Session id
 * and token are sent to the configured host only, and not returned. Throws the budget's reason when that aborts.
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
        // Without an origin only the token counts: if it is accepted, the page was refused.
        const other = await attempt(reach.handshake, null).catch(() => null);
        budget.signal.throwIfAborted();
        return { handshake: verdict, status, ...(other?.status === 101 && { reason: 'origin' }) };
      }
      // Every other request there reaches a server that is not the messaging host.
      if (status === reach.wrongStatus())
        return { handshake: 'unreachable', status, fault: `status ${status}` };
      if (verdict !== 'busy') return { handshake: verdict, status };
      const seconds = Math.max(1, Math.ceil(readRetryAfterMs(retryAfter) / 1_000));
      return { handshake: verdict, status, retry_after_seconds: seconds };
    }
  } catch (error) {
    // The error's text may contain the address with the token, so only its name is passed on.
    budget.signal.throwIfAborted();
    fault = readFaultName(error, timeout);
  }
  // A host that is up but was never reached: many servers cannot reach their own public address.
  const isUnknown = !reach.hasAnswered() && (await isPlatformUp());
  return { handshake: isUnknown ? 'unknown' : 'unreachable', ...(fault !== undefined && { fault }) };
}
