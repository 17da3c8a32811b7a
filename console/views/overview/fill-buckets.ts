/** Every interval of a range, with what happened in it; null where nothing did. */
export function fillBuckets<Entry extends { readonly bucket: number | null }>(
  entries: readonly Entry[],
  {
    from_ms: fromMs,
    to_ms: toMs,
    bucket_ms: bucketMs,
  }: {
    readonly from_ms: number;
    readonly to_ms: number;
    readonly bucket_ms: number;
  },
): readonly { readonly atMs: number; readonly entry: Entry | null }[] {
  const known = new Map(entries.map((entry) => [entry.bucket, entry]));
  const first = Math.floor(fromMs / bucketMs) * bucketMs;
  const count = Math.floor((toMs - first) / bucketMs) + 1;
  return Array.from({ length: count }, (_, index) => {
    const atMs = first + index * bucketMs;
    return { atMs, entry: known.get(atMs) ?? null };
  });
}
