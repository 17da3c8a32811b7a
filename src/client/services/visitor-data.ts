import { textOf } from '../conversation/outbox/outbox-state.ts';
import { reference } from '../session/credentials.ts';
import { callProxy } from '../session/proxy-calls.ts';
import type { PastConversation, PastConversations } from './past-conversations.ts';
import type { ServicesOptions } from './services-options.ts';

/** The stored data of the visitor. */
export interface VisitorData {
  /**
   * State of the current conversation. `none`: there is none, or nothing of it is stored. `unavailable`: the service
   * does not provide it. `unreachable`: no response.
   */
  readonly platform:
    | { readonly status: 'read'; readonly data: Readonly<Record<string, unknown>> }
    | { readonly status: 'none' | 'unavailable' | 'unreachable' };
  /** Null for nothing. */
  readonly browser: {
    /** Whether there is an encrypted ticket, with which a reload resumes the conversation. Its text is not included. */
    readonly hasTicket: boolean;
    /** Undelivered texts of the visitor, including the stored composer text. */
    readonly undelivered: readonly string[];
    /** Whether there is the transcript of a conversation without a socket. */
    readonly hasTranscript: boolean;
    /** Whether the page has set a user. */
    readonly hasUser: boolean;
    /** Copies of conversations, for reading. */
    readonly past: readonly PastConversation[];
  } | null;
}

/** Result of an erasure on the platform. */
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

/** Erases the current conversation on the platform. The data in this browser stays until `logout()`. Never rejects. */
export async function eraseVisitorData(options: ServicesOptions): Promise<EraseOutcome> {
  const ticket = options.ticket();
  if (!ticket) return 'none';
  const { signal } = new AbortController();
  const { status, fields } = await callProxy(options, '/v1/erase', reference(ticket), signal);
  return status === 200 ? 'erased' : outcomeOf(fields['code']);
}
