import { CORRELATION_HEADER } from '../errors/error-body.ts';
import type { Family } from '../http/operation.ts';
import { isRecord } from './is-record.ts';

/** Field names by object: neutral name to vendor name. Source: section 2. */
export interface VendorFields {
  readonly conversation: Readonly<Record<string, string>>;
  readonly conversationDetail: Readonly<Record<string, string>>;
  readonly voicePreview: Readonly<Record<string, string>>;
}

/** Names that differ between Natter and the vendor. Source: section 2. */
export const VENDOR_FIELDS: VendorFields = {
  conversation: { platform_duration: 'polyai_duration' },
  conversationDetail: { platformDuration: 'polyaiDuration', qualityScore: 'polyScore' },
  voicePreview: { storeOnObjectStorage: 'storeOnS3' },
};

/** The correlation header's name in both spellings. Source: section 2. */
export const CORRELATION_HEADERS: Readonly<Record<'neutral' | 'vendor', string>> = {
  neutral: CORRELATION_HEADER,
  vendor: 'X-PolyAI-Correlation-Id',
};

/** Route groups that send vendor names: all, none, or some. Readers always accept both. Source: section 2. */
export type VendorNames = boolean | Readonly<Partial<Record<Family, boolean>>>;

/** Whether a route group sends vendor names. */
export function usesVendorNames(setting: VendorNames, family: Family): boolean {
  return typeof setting === 'boolean' ? setting : setting[family] === true;
}

/**
 * Renames vendor fields to neutral ones. If an object has both, the neutral one is used. Returns non-objects unchanged.
 */
export function toNeutralFields(raw: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!isRecord(raw)) return raw;
  const result: Record<string, unknown> = { ...raw };
  for (const [neutral, vendor] of Object.entries(names)) {
    if (!(vendor in raw)) continue;
    if (!(neutral in raw)) result[neutral] = raw[vendor];
    delete result[vendor];
  }
  return result;
}

/** Renames an object's fields to the vendor's names, in the same order. */
export function toVendorFields(
  record: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      Object.hasOwn(names, key) ? (names[key] ?? key) : key,
      value,
    ]),
  );
}
