import type { Overview as CountedOverview } from '../../../server-platform/src/console-api/index.ts';

/** The answer of the overview's call. */
export type Overview = CountedOverview & {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly bucket_ms: number;
};

export interface Concurrency {
  readonly intervals: readonly {
    readonly time: string;
    readonly max_concurrent_conversations: number;
    readonly variant_name?: string;
  }[];
}
