import type { ReadonlySignal } from '@preact/signals-core';
import type { ChatClientOptions } from '../chat-client.ts';
import type { ClientPorts } from '../ports.ts';

/** What the services of a conversation use of its client. */
export interface ServicesOptions {
  readonly endpoint: string;
  readonly ports: ClientPorts;
  readonly chat: ChatClientOptions;
  /** The resume ticket as the credentials have it. */
  readonly ticket: () => string;
  /** Counts logouts and changes of the user. */
  readonly visitors: ReadonlySignal<number>;
}
