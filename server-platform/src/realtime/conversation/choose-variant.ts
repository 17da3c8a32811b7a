import type { Variant } from '../../accounts/index.ts';

/**
 * The variant that a new session is in: the one that its creator names, else one by weight; `share` from 0 to below 1
 * decides. Null without weights: the connector's own agent answers. Source: SES-3.
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
