/** Counts of one interval; `GET /console/api/openapi.json` describes the answer. */
interface Bucket {
  readonly bucket: number;
  readonly conversations: number;
  readonly handoffs: number;
  readonly variants: Readonly<Record<string, number>>;
  readonly languages: Readonly<Record<string, number>>;
}

interface Turns {
  readonly bucket: number | null;
  readonly turns: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly up: number;
  readonly down: number;
  readonly unanswered: number;
}

export interface Overview {
  readonly to_ms: number;
  readonly buckets: readonly Bucket[];
  readonly turns: readonly Turns[];
  readonly total: Turns | null;
  readonly topics: readonly {
    readonly word: string;
    readonly count: number;
    readonly questions: readonly { readonly question: string; readonly id: string }[];
  }[];
}

export interface Concurrency {
  readonly intervals: readonly {
    readonly time: string;
    readonly max_concurrent_conversations: number;
    readonly variant_name?: string;
  }[];
}
