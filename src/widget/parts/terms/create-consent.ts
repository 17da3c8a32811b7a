import { type ReadonlySignal, signal } from '@preact/signals-core';

/** The visitor's consent to a conversation. It is not stored: a stored conversation implies it. */
export interface Consent {
  /** `unknown` until the storage was searched for a conversation. */
  readonly status: ReadonlySignal<'unknown' | 'pending' | 'given'>;
  /** Resolves with true if consent was given, false while the visitor is asked. */
  isGiven(): Promise<boolean>;
  /** Resolves when consent is given, or this object is destroyed. */
  whenGiven(): Promise<void>;
  /** Records that the visitor agreed in this tab. */
  give(): void;
  /** Ends the consent with its conversation. */
  withdraw(): void;
  destroy(): void;
}

/** Scope of a consent. */
export interface ConsentOptions {
  /** Channel name; the same in all tabs that share the conversation. */
  readonly name: string;
  /** False if the site does not ask for consent. */
  readonly isRequired: boolean;
  /** True if a conversation is stored: the visitor agreed when it began. */
  readonly hasConversation: () => Promise<boolean>;
  /** True while the conversation of this tab can be joined by other tabs. */
  readonly isRunning: () => boolean;
}

type Message = 'asked' | 'given' | 'withdrawn';

/**
 * Asks for consent once per conversation. Tabs of the same conversation share it over a `BroadcastChannel`, which stores
 * nothing.
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
  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    if (data === 'asked' && status.peek() === 'given' && isRunning()) post('given');
    else if (data === 'given') set('given');
    else if (data === 'withdrawn') set('pending');
  };

  async function initialize(): Promise<void> {
    if (!isRequired) return;
    try {
      channel = new BroadcastChannel(name);
      channel.onmessage = onMessage;
    } catch {
      // A page with an opaque origin has no channel, and shares no conversation with other tabs.
    }
    const has = await hasConversation();
    // Another tab may have answered during the search.
    if (status.peek() !== 'unknown') return;
    set(has ? 'given' : 'pending');
    if (!has) post('asked');
  }
  const initialized = initialize();

  return {
    status,
    async isGiven() {
      await initialized;
      return status.peek() === 'given';
    },
    whenGiven: () =>
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
