/** Figures of a node at a time, and of the time since the sample before. */
export interface FigureSample {
  readonly at_ms: number;
  readonly sockets: number;
  readonly sessions: number;
  readonly queued_rows: number;
  readonly commits: number;
  readonly commit_p50_ms: number | null;
  readonly commit_p95_ms: number | null;
  readonly failures: number;
  readonly loop_delay_ms: number;
  readonly resident_bytes: number;
}

/** A node of the platform. */
export interface PlatformNode {
  readonly node: string;
  readonly is_self: boolean;
  readonly lease_left_ms: number | null;
  /** Null: it did not answer in time. */
  readonly figures: {
    readonly version: string;
    readonly started_at_ms: number;
    readonly samples: readonly FigureSample[];
    readonly failures: readonly {
      readonly what: string;
      readonly count: number;
      readonly last_at_ms: number;
    }[];
  } | null;
}

/** How the platform is. */
export interface Operations {
  readonly at: string;
  readonly nodes: readonly PlatformNode[];
  readonly database: {
    readonly engine: 'pglite' | 'postgres';
    readonly version: string;
    readonly is_durable: boolean;
    readonly size_bytes: number;
    readonly ping_ms: number;
    readonly connections: { readonly busy: number; readonly idle: number; readonly waiting: number } | null;
  };
  readonly bus: { readonly is_shared: boolean; readonly is_up: boolean; readonly nodes: readonly string[] };
  readonly queues: readonly {
    readonly name: string;
    readonly count: number;
    readonly oldest_at: string | null;
  }[];
}

/** An API key without its text. */
export interface ConsoleKey {
  readonly id: string;
  readonly name: string;
  readonly service: 'runtime' | 'monitoring';
  readonly permissions: readonly string[];
  /** Null: every project. */
  readonly project: string | null;
  readonly is_legacy: boolean;
  readonly hint: string;
  readonly state: 'active' | 'replaced' | 'expired' | 'revoked';
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

/** A connector without its token. */
export interface ConsoleConnector {
  readonly id: string;
  readonly name: string;
  readonly environment: string;
  readonly hosts: readonly { readonly kind: 'domain' | 'app'; readonly value: string }[];
  readonly agent: string | null;
  readonly handoff: string | null;
  readonly hint: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** A key or token that was made now. */
export interface NewSecret {
  readonly name: string;
  readonly secret: string;
}

/** How long projects keep their data. */
export interface Retention {
  readonly projects: readonly {
    readonly slug: string;
    readonly name: string;
    readonly kinds: readonly { readonly kind: string; readonly days: number | null; readonly due: number }[];
  }[];
  readonly most_due: number;
}
