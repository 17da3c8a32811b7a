import type { ClientPorts } from '../ports.ts';
import type { ProxyAnswer } from '../session/proxy-calls.ts';
import type { StoredConversation } from '../storage/stored-conversation.ts';

export interface TurnCallsOptions {
  readonly ports: Pick<ClientPorts, 'clock'>;
  /** Calls the proxy once. Never rejects. */
  readonly call: (path: string, body: object) => Promise<ProxyAnswer>;
  /** State of a conversation in turns from an earlier page or another tab. */
  readonly stored: StoredConversation | undefined;
}

/** How often a turn refused by a rate limit is retried. */
const MAX_WAITS = 3;
/** Placeholder for a reference in a cookie of the proxy. */
const IN_COOKIE = 'cookie';

export const isDone = ({ status }: ProxyAnswer): boolean => status >= 200 && status < 300;

/**
 * A conversation in turns at the token proxy, identified by the reference that the proxy renews with every response.
 */
export class TurnCalls {
  readonly #options: TurnCallsOptions;
  /** The proxy's encrypted reference, or a placeholder if only its cookie has it; empty for none. */
  #chat: string;
  #isInCookie: boolean;
  #creating: Promise<boolean> | null = null;
  /** Kept until `consumeGreeting` is called. */
  #greeting = '';

  constructor(options: TurnCallsOptions) {
    this.#options = options;
    this.#chat = options.stored?.turns?.chat ?? '';
    this.#isInCookie = this.#chat === IN_COOKIE;
  }

  /** State for the next page: the reference, or a placeholder where the proxy's cookie holds it; empty for none. */
  reference(): string {
    return this.#isInCookie && this.#chat ? IN_COOKIE : this.#chat;
  }

  /** Creates the conversation once, even for parallel calls. Returns false on failure. */
  ensure(): Promise<boolean> {
    if (this.#chat) return Promise.resolve(true);
    this.#creating ??= this.#create().finally(() => {
      this.#creating = null;
    });
    return this.#creating;
  }

  /** Returns the agent's first text once. */
  consumeGreeting(): string {
    const greeting = this.#greeting;
    this.#greeting = '';
    return greeting;
  }

  /**
   * Sends a message and returns the answer. A refused request is retried unless `isAbandoned` returns true; one that may have
   * arrived is never retried. The caller keeps the reference to continue the conversation.
   */
  async respond(text: string, isAbandoned: () => boolean): Promise<ProxyAnswer> {
    for (let waits = 0, restarts = 0; ; ) {
      const answer = await this.#call('respond', text);
      const { status, delayMs } = answer;
      if (status === 429 && waits < MAX_WAITS) {
        waits += 1;
        await this.#wait(delayMs);
        if (isAbandoned()) return answer;
      } else if (status === 410 && restarts === 0) {
        // The conversation has expired, so the message was not accepted: a new conversation starts with it.
        restarts += 1;
        this.#chat = '';
        if (!(await this.ensure())) return answer;
      } else return answer;
    }
  }

  /** Continues from this response; false for one without a reference. */
  keep({ fields }: ProxyAnswer): boolean {
    const { chat, resume_by: place } = fields;
    if (typeof chat !== 'string') return false;
    this.#chat = chat;
    this.#isInCookie = place === IN_COOKIE;
    return true;
  }

  /** Ends the conversation at the proxy, if there is one. */
  close(): void {
    if (this.#chat) void this.#call('close');
  }

  forget(): void {
    this.#chat = '';
  }

  async #create(): Promise<boolean> {
    const answer = await this.#call('create');
    if (!isDone(answer) || !this.keep(answer)) return false;
    this.#greeting = String(answer.fields['text'] ?? '');
    return true;
  }

  #call(route: string, text?: string): Promise<ProxyAnswer> {
    // JSON omits undefined values, and the proxy then reads its cookie.
    const chat = (this.#chat !== IN_COOKIE && this.#chat) || undefined;
    return this.#options.call(`/v1/chat/${route}`, { chat, text });
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.#options.ports.clock.setTimer(resolve, delayMs));
  }
}
