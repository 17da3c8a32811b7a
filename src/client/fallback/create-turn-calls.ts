import type { ClientPorts } from '../ports.ts';
import type { ProxyAnswer } from '../session/proxy-calls.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';

export interface TurnCallsOptions {
  readonly ports: Pick<ClientPorts, 'clock'>;
  /** Calls the proxy once. Never rejects. */
  readonly call: (path: string, body: object) => Promise<ProxyAnswer>;
  /** What an earlier page or another tab has left of a conversation in turns. */
  readonly stored: StoredConversation | undefined;
}

/** A conversation in turns at the token proxy, by the reference that the proxy seals anew with every answer. */
export interface TurnCalls {
  /** What another page needs: the reference, or a word where the proxy's cookie holds it; empty for none. */
  reference(): string;
  /** One creation at a time, whoever asks: a second one would be a second conversation. False where it failed. */
  ensure(): Promise<boolean>;
  /** The agent's first words, once. */
  takeGreeting(): string;
  /**
   * The answer to a message; what was refused is tried again while `isAbandoned` says no, what may have arrived never is.
   * The reference is to be kept by whoever goes on with the conversation.
   */
  respond(text: string, isAbandoned: () => boolean): Promise<ProxyAnswer>;
  /** Goes on from this answer; false for one without a reference. */
  keep(answer: ProxyAnswer): boolean;
  /** Tells the proxy that the conversation is over, if there is one. */
  close(): void;
  forget(): void;
}

/** How often a turn that was refused for its number is tried again. */
const MAX_WAITS = 3;
/** Stands for a reference that a cookie of the proxy holds. */
const IN_COOKIE = 'cookie';

export const isDone = ({ status }: ProxyAnswer): boolean => status >= 200 && status < 300;

export function createTurnCalls(options: TurnCallsOptions): TurnCalls {
  const { clock } = options.ports;
  /** The conversation as the proxy sealed it, a word where only its cookie has it; empty for none. */
  let chat = options.stored?.turns?.chat ?? '';
  let isInCookie = chat === IN_COOKIE;
  let creating: Promise<boolean> | null = null;
  /** Until somebody asks for it. */
  let greeting = '';

  // What is undefined is left out of the JSON, and the proxy looks into its cookie.
  const call = (route: string, text?: string): Promise<ProxyAnswer> =>
    options.call(`/v1/chat/${route}`, {
      chat: (chat !== IN_COOKIE && chat) || undefined,
      text,
    });

  const wait = (delayMs: number): Promise<void> =>
    new Promise((resolve) => void clock.setTimer(resolve, delayMs));

  function keep({ fields }: ProxyAnswer): boolean {
    const { chat: reference, resume_by: place } = fields;
    if (typeof reference !== 'string') return false;
    chat = reference;
    isInCookie = place === IN_COOKIE;
    return true;
  }

  async function create(): Promise<boolean> {
    const answer = await call('create');
    if (!isDone(answer) || !keep(answer)) return false;
    greeting = String(answer.fields['text'] ?? '');
    return true;
  }

  function ensure(): Promise<boolean> {
    if (chat) return Promise.resolve(true);
    creating ??= create().finally(() => {
      creating = null;
    });
    return creating;
  }

  return {
    reference: () => (isInCookie && chat ? IN_COOKIE : chat),
    ensure,
    takeGreeting() {
      const words = greeting;
      greeting = '';
      return words;
    },
    async respond(text, isAbandoned) {
      for (let waits = 0, restarts = 0; ; ) {
        const answer = await call('respond', text);
        const { status, delayMs } = answer;
        if (status === 429 && waits < MAX_WAITS) {
          waits += 1;
          await wait(delayMs);
          if (isAbandoned()) return answer;
        } else if (status === 410 && restarts === 0) {
          // Silence has ended this conversation, so the message was not taken: another one begins with it.
          restarts += 1;
          chat = '';
          if (!(await ensure())) return answer;
        } else return answer;
      }
    },
    keep,
    close() {
      if (chat) void call('close');
    },
    forget() {
      chat = '';
    },
  };
}
