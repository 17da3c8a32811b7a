import type { AdmittedRequest } from '../http/admitted-request.ts';
import type { TicketRequest } from '../http/read-body.ts';
import type { TokenProxyOptions } from '../options.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import { createResumeCookie, type ResumeCookie } from './resume-cookie.ts';
import { createResumeTickets, type ResumeTickets, type TicketContents } from './resume-ticket.ts';
import { createMemoryRevocations, type Revocations } from './revocations.ts';

// HB-3: the platform's idle time of a session.
const DEFAULT_TICKET_LIFETIME_SECONDS = 600;
// With a relay each further socket needs the ticket, which was last renewed up to 240 s before the previous socket was
// lost.
const RELAY_TICKET_LIFETIME_SECONDS = 900;

function refuseTicket(): ProxyFailure {
  // The same text for every reason, because naming the failed check would only help a forger.
  return new ProxyFailure(
    'RESUME_TICKET_INVALID',
    'This resume ticket is no longer valid. Drop it and start a new session.',
  );
}

/** The resume tickets of one proxy, in the cookie or with the caller, and the logged-out sessions. Source: ST-3. */
export class SessionTickets {
  /** Stores a ticket in the browser. */
  readonly cookie: ResumeCookie;
  readonly #office: ResumeTickets;
  readonly #revocations: Revocations;
  readonly #lifetimeSeconds: number;
  readonly #connectors: ReadonlyMap<string, unknown>;

  constructor(
    options: Pick<TokenProxyOptions, 'ticketKeys' | 'ticketLifetimeSeconds' | 'basePath' | 'revocations'>,
    connectors: ReadonlyMap<string, unknown>,
    nowMs: () => number,
    isRelay: boolean,
  ) {
    this.#lifetimeSeconds =
      options.ticketLifetimeSeconds ??
      (isRelay ? RELAY_TICKET_LIFETIME_SECONDS : DEFAULT_TICKET_LIFETIME_SECONDS);
    this.#office = createResumeTickets({
      keys: options.ticketKeys,
      lifetimeSeconds: this.#lifetimeSeconds,
      nowMs,
    });
    this.cookie = createResumeCookie(options.basePath ?? '', this.#lifetimeSeconds);
    this.#revocations = options.revocations ?? createMemoryRevocations(nowMs);
    this.#connectors = connectors;
  }

  /** Makes a ticket for the page at `origin` (null: a caller without one). */
  seal(contents: TicketContents, origin: string | null): Promise<string> {
    return this.#office.seal(contents, origin);
  }

  /** Returns the given ticket, or else the one in this connector's cookie; null for none. */
  async read(
    { request, origin }: AdmittedRequest,
    connector: string,
    given: string | null,
  ): Promise<string | null> {
    if (given !== null) return given;
    return this.cookie.isPossible(request.headers, origin)
      ? await this.cookie.read(request.headers, origin, connector)
      : null;
  }

  /** Returns the session and token of the ticket, or of the cookie. Throws `RESUME_TICKET_INVALID`. */
  async open(admitted: AdmittedRequest, asked: TicketRequest): Promise<TicketContents> {
    const ticket = await this.read(admitted, asked.connector, asked.resume_ticket ?? null);
    const contents = ticket === null ? null : await this.#office.open(ticket, admitted.origin);
    if (contents === null || !this.#connectors.has(contents.connector)) throw refuseTicket();
    if (await this.isRevoked(contents.sessionId)) throw refuseTicket();
    return contents;
  }

  /** Revokes the sessions of the given ticket and of the one in the cookie, if they are valid. */
  async revokeGiven(admitted: AdmittedRequest, asked: TicketRequest): Promise<void> {
    for (const given of new Set([asked.resume_ticket ?? null, null])) {
      const ticket = await this.read(admitted, asked.connector, given);
      const contents = ticket === null ? null : await this.#office.open(ticket, admitted.origin);
      if (contents !== null) await this.revoke(contents.sessionId);
    }
  }

  /** Whether every ticket of this session is refused. */
  isRevoked(sessionId: string): Promise<boolean> {
    return this.#revocations.has(sessionId);
  }

  /** Refuses every ticket of this session from now on. */
  async revoke(sessionId: string): Promise<void> {
    await this.#revocations.add(sessionId, this.#lifetimeSeconds);
  }
}
