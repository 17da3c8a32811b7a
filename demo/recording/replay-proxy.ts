import { Hono } from 'hono';
import { readSteps } from './read-steps.ts';
import type { Recording } from './recording.ts';
import { type ReplayOptions, ReplaySession } from './replay-session.ts';

const DAY_SECONDS = 86_400;

/** Sessions by their id, each a separate run, and the tickets that lead back to them. */
export class ReplaySessions {
  readonly #steps: ReturnType<typeof readSteps>;
  readonly #options: ReplayOptions;
  readonly #sessions = new Map<string, ReplaySession>();
  readonly #tickets = new Map<string, ReplaySession>();

  constructor(recording: Recording, options: ReplayOptions) {
    this.#steps = readSteps(recording);
    this.#options = options;
  }

  create(): ReplaySession {
    const session = new ReplaySession(this.#steps, this.#options);
    this.#sessions.set(session.id, session);
    return session;
  }

  createTicket(session: ReplaySession): string {
    const ticket = crypto.randomUUID();
    this.#tickets.set(ticket, session);
    return ticket;
  }

  findByTicket(ticket: unknown): ReplaySession | undefined {
    return this.#tickets.get(String(ticket));
  }

  /** The session that a handshake is for; null refuses it. */
  findByAddress(address: URL): ReplaySession | null {
    const session = this.#sessions.get(address.searchParams.get('session_id') ?? '');
    const isMeant = session?.token === address.searchParams.get('access_token');
    return session && isMeant && !session.isUnreachable ? session : null;
  }

  stop(): void {
    for (const session of this.#sessions.values()) session.stop();
  }
}

/** The calls of a token proxy, answered from a recording. Needs no Node: a page can answer its own calls with it. */
export function createReplayProxy(
  sessions: ReplaySessions,
  offers: readonly string[],
  getSocketUrl: () => string,
): Hono {
  const grant = (session: ReplaySession): Response =>
    Response.json({
      session_id: session.id,
      access_token: session.token,
      expires_at: new Date(Date.now() + DAY_SECONDS * 1000).toISOString(),
      expires_in_seconds: DAY_SECONDS,
      websocket_url: getSocketUrl(),
      resume_by: 'ticket',
      resume_ticket: sessions.createTicket(session),
      ...(offers.length > 0 && { offers }),
    });
  const proxy = new Hono();
  proxy.post('/session', () => grant(sessions.create()));
  proxy.post('/resume', async (context) => {
    const session = sessions.findByTicket((await context.req.json()).resume_ticket);
    return session ? grant(session) : refuse(410, 'RESUME_TICKET_INVALID');
  });
  proxy.post('/logout', () => Response.json({ status: 'logged_out' }));
  proxy.post('/probe', () => Response.json({ handshake: 'accepted', status: 101 }));
  proxy.get('/health', () => Response.json({ status: 'ok' }));
  for (const path of ['/context', '/contact', '/feedback'])
    proxy.post(path, () => Response.json({ status: 'accepted' }));
  proxy.notFound(() => refuse(404, 'NOT_FOUND'));
  return proxy;
}

function refuse(status: number, code: string): Response {
  return Response.json({ code, message: 'Not part of a replay.', retryable: false }, { status });
}
