import type { MessagingLimits } from '@natter/platform';
import type { CrashPoint } from '../schedule.ts';

/** Options of a platform process. */
export interface PlatformSettings {
  readonly database: { readonly dataDir: string } | { readonly databaseUrl: string; readonly schema: string };
  /** Base64; the same for every start, so that tokens stay valid. */
  readonly tokenSecret: string;
  readonly connectorToken: string;
  readonly limits: Partial<MessagingLimits>;
  /** Pause between two pieces of an answer, in milliseconds. */
  readonly wordPauseMs: number;
  readonly node: string;
  /** The bus to the other nodes on the same database, `nats://…` or `postgres://…`; left out, it is the only one. */
  readonly busUrl?: string;
  /** 0: a free one, another with every start. */
  readonly port: number;
}

/** An event of the log, as far as the checks read it. */
export interface LoggedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly clientEventId: string | null;
}

/** State of one session according to the log. */
export interface SessionLog {
  readonly sessionId: string;
  readonly events: readonly LoggedEvent[];
  readonly unfinishedTurns: number;
}

/** To the platform process. */
export type PlatformRequest =
  | { readonly ask: 'logs'; readonly id: number; readonly sessionIds: readonly string[] }
  | { readonly ask: 'crash'; readonly id: number; readonly at: CrashPoint; readonly skip: number }
  | { readonly ask: 'ping'; readonly id: number }
  | { readonly ask: 'usage'; readonly id: number }
  | { readonly ask: 'stop'; readonly id: number };

/** From the platform process. */
export type PlatformReport =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'trouble'; readonly text: string }
  | { readonly kind: 'logs'; readonly id: number; readonly logs: readonly SessionLog[] }
  /** Processor time of the process so far, all threads, in milliseconds. */
  | { readonly kind: 'usage'; readonly id: number; readonly cpuMs: number }
  | { readonly kind: 'done'; readonly id: number };
