import { type ReadonlySignal, signal } from '@preact/signals-core';

/** Whether the visitor has agreed to this conversation. Nothing of it is stored: a stored conversation is what tells. */
export interface Consent {
  /** `unknown` until the browser has said whether there is a conversation to come back to. */
  readonly status: ReadonlySignal<'unknown' | 'pending' | 'given'>;
  /** True when it was given, false when the visitor is being asked. */
  isGiven(): Promise<boolean>;
  /** Resolves once it is given, or the consent is destroyed. */
  given(): Promise<void>;
  /** The visitor agrees, in this tab. */
  give(): void;
  /** The conversation that it was given for is over. */
  withdraw(): void;
  destroy(): void;
}

/** What a consent is for. */
export interface ConsentOptions {
  /** The same in all tabs that share the conversation. */
  readonly name: string;
  /** False when the visitor is not to be asked. */
  readonly isRequired: boolean;
  /** True when there is a conversation to come back to: the visitor agreed to it when it began. */
  readonly hasConversation: () => Promise<boolean>;
  /** True while another tab may take part in what was agreed to in this one. */
  readonly isRunning: () => boolean;
}

type Message = 'asked' | 'given' | 'withdrawn';

/**
 * Asks once for each conversation. Tabs that show the same one tell each other over a channel of the browser, which
 * leaves nothing behind.
 */
export function createConsent({ name, isRequired, hasConversation, isRunning }: ConsentOptions): Consent {
  const status = signal<'unknown' | 'pending' | 'given'>(isRequired ? 'unknown' : 'given');
  const waiting = new Set<() => void>();
  let channel: BroadcastChannel | null = null;

  const release = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const set = (next: 'pending' | 'given'): void => {
    status.value = next;
    if (next === 'given') release();
  };
  const post = (message: Message): void => channel?.postMessage(message);
  const hear = ({ data }: MessageEvent<unknown>): void => {
    if (data === 'asked' && status.peek() === 'given' && isRunning()) post('given');
    else if (data === 'given') set('given');
    else if (data === 'withdrawn') set('pending');
  };

  async function decide(): Promise<void> {
    if (!isRequired) return;
    try {
      channel = new BroadcastChannel(name);
      channel.onmessage = hear;
    } catch {
      // A page without an origin of its own has no other tabs to hear from.
    }
    const has = await hasConversation();
    // Another tab may have told meanwhile.
    if (status.peek() !== 'unknown') return;
    set(has ? 'given' : 'pending');
    if (!has) post('asked');
  }
  const decided = decide();

  return {
    status,
    async isGiven() {
      await decided;
      return status.peek() === 'given';
    },
    given: () =>
      status.peek() === 'given' ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve)),
    give() {
      set('given');
      post('given');
    },
    withdraw() {
      if (!isRequired) return;
      set('pending');
      post('withdrawn');
    },
    destroy() {
      channel?.close();
      channel = null;
      release();
    },
  };
}
