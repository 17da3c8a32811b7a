import { textOf } from '../conversation/outbox/outbox-state.ts';
import { reference } from '../session/credentials.ts';
import { callProxy } from '../session/proxy-calls.ts';
import type { PastConversation, PastConversations } from './past-conversations.ts';
import type { ServicesOptions } from './services-options.ts';

/** The stored data of the visitor. */
export interface VisitorData {
  /**
   * Of the running conversation. `none`: there is none, or nothing is stored of it. `unavailable`: the service does not show it.
   * `unreachable`: it did not answer.
   */
  readonly platform:
    | { readonly status: 'read'; readonly data: Readonly<Record<string, unknown>> }
    | { readonly status: 'none' | 'unavailable' | 'unreachable' };
  /** Null for nothing. */
  readonly browser: {
    /** A sealed ticket, with which a reload resumes the conversation. Its text is not included. */
    readonly hasTicket: boolean;
    /** Texts of the visitor that have not been delivered, with the words that are kept for the composer of the next page. */
    readonly undelivered: readonly string[];
    /** The transcript of a conversation without a socket. */
    readonly hasTranscript: boolean;
    /** The page has named its user. */
    readonly hasUser: boolean;
    /** Copies of conversations, for reading. */
    readonly past: readonly PastConversation[];
  } | null;
}

/** What became of an erasure on the platform. */
export type EraseOutcome = 'erased' | 'none' | 'unavailable' | 'unreachable';

function outcomeOf(code: unknown): Exclude<EraseOutcome, 'erased'> {
  if (code === 'RESUME_TICKET_INVALID' || code === 'SESSION_NOT_FOUND') return 'none';
  return code === 'DATA_NOT_AVAILABLE' ? 'unavailable' : 'unreachable';
}

/** Reads the stored data, here and on the platform. Never rejects. */
export async function readVisitorData(
  options: ServicesOptions,
  conversations: PastConversations,
): Promise<VisitorData> {
  const [platform, stored, past] = await Promise.all([
    readPlatform(options),
    options.stored(),
    conversations.list(),
  ]);
  const typed = options.typed();
  const undelivered = [...(stored?.drafts.map(textOf) ?? []), typed].filter(Boolean);
  const isEmpty = !stored && !typed && past.length === 0;
  return {
    platform,
    browser: isEmpty
      ? null
      : {
          hasTicket: Boolean(stored?.resumeTicket),
          undelivered,
          hasTranscript: stored?.turns !== undefined,
          hasUser: Boolean(stored?.owner),
          past,
        },
  };
}

async function readPlatform(options: ServicesOptions): Promise<VisitorData['platform']> {
  const ticket = options.ticket();
  if (!ticket) return { status: 'none' };
  const { signal } = new AbortController();
  const { status, fields } = await callProxy(options, '/v1/data', reference(ticket), signal);
  return status === 200 ? { status: 'read', data: fields } : { status: outcomeOf(fields['code']) };
}

/** Has the platform erase the running conversation. The data in this browser stays until `logout()`. Never rejects. */
export async function eraseVisitorData(options: ServicesOptions): Promise<EraseOutcome> {
  const ticket = options.ticket();
  if (!ticket) return 'none';
  const { signal } = new AbortController();
  const { status, fields } = await callProxy(options, '/v1/erase', reference(ticket), signal);
  return status === 200 ? 'erased' : outcomeOf(fields['code']);
}
