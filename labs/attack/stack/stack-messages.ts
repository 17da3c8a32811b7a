import type { StackInfo } from '../attack.ts';

/** Memory of the stack's process, after a garbage collection. */
export interface Vitals {
  readonly rssBytes: number;
  /** JavaScript objects and buffers of the main thread. */
  readonly heapBytes: number;
  /** Open file descriptors; null where the system does not list them. */
  readonly descriptors: number | null;
  /** TCP connections, of both servers. */
  readonly sockets: number;
}

/** To the process of the stack. */
export type StackRequest =
  | { readonly ask: 'measure'; readonly id: number }
  | { readonly ask: 'stop'; readonly id: number };

/** From the process of the stack. */
export type StackReport =
  | { readonly kind: 'ready'; readonly info: StackInfo }
  | { readonly kind: 'vitals'; readonly id: number; readonly vitals: Vitals }
  | { readonly kind: 'stopped'; readonly id: number };
