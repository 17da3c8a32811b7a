import type { Variant } from '../../accounts/index.ts';

/**
 * Chooses the variant of a new session: the requested one, or else one by weight, determined by `share` (0 ≤ share <
 * 1). Null without weights: the connector's own agent answers. Source: SES-3.
 */
export function chooseVariant(
  variants: readonly Variant[],
  wanted: string | null,
  share: number,
): Variant | null {
  const named = variants.find(({ id }) => id === wanted);
  if (named !== undefined) return named;
  const total = variants.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
  let left = share * total;
  for (const variant of variants) {
    left -= variant.weight ?? 0;
    if (left < 0) return variant;
  }
  return null;
}
