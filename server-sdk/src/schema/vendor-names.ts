import { CORRELATION_HEADER } from '../errors/error-body.ts';
import type { Family } from '../http/operation.ts';
import { isRecord } from './is-record.ts';

/** Field names by object: neutral name to vendor name. Source: section 2. */
export interface VendorFields {
  readonly conversation: Readonly<Record<string, string>>;
  readonly conversationDetail: Readonly<Record<string, string>>;
  readonly voicePreview: Readonly<Record<string, string>>;
}

/** The names that differ between us and the vendor. Source: section 2. */
export const VENDOR_FIELDS: VendorFields = {
  conversation: { platform_duration: 'polyai_duration' },
  conversationDetail: { platformDuration: 'polyaiDuration', qualityScore: 'polyScore' },
  voicePreview: { storeOnObjectStorage: 'storeOnS3' },
};

/** Name of the correlation header in the two spellings. Source: section 2. */
export const CORRELATION_HEADERS: Readonly<Record<'neutral' | 'vendor', string>> = {
  neutral: CORRELATION_HEADER,
  vendor: 'X-PolyAI-Correlation-Id',
};

/** Which families write vendor names: all, none, or some. Readers accept both always. Source: section 2. */
export type VendorNames = boolean | Readonly<Partial<Record<Family, boolean>>>;

/** Whether a family writes vendor names. */
export function usesVendorNames(setting: VendorNames, family: Family): boolean {
  return typeof setting === 'boolean' ? setting : setting[family] === true;
}

/**
 * Reads the vendor's fields under the neutral names. When an object holds both, the neutral one counts. Anything but
 * an object passes unchanged.
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

/** Writes an object with the vendor's names, in the same order of fields. */
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
