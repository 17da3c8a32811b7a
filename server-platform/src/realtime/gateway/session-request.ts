import type { JsonBody } from '../../kit/http/index.ts';

/** The body of 3.4 with defaults filled in. */
export interface SessionRequest {
  readonly platform: string;
  readonly isStreaming: boolean;
  readonly deviceType: string | null;
  /** The requested variant; null: none. */
  readonly variantId: string | null;
}

const PLATFORMS: ReadonlySet<string> = new Set(['web', 'ios', 'android', 'custom', 'ios-web', 'android-web']);
const DEVICE_TYPES: ReadonlySet<string> = new Set(['mobile', 'tablet', 'desktop']);

/** Reads the body of 3.4; null when it is malformed or a known field has the wrong type. */
export function readSessionRequest(body: JsonBody): SessionRequest | null {
  if (body.kind !== 'object' && body.kind !== 'absent') return null;
  const fields = body.kind === 'object' ? body.fields : {};
  const { platform = 'web', streaming_enabled: isStreaming = false, device_type: deviceType = '' } = fields;
  const { variant_id: variantId = '' } = fields;
  if (typeof platform !== 'string' || typeof isStreaming !== 'boolean') return null;
  if (typeof deviceType !== 'string' || typeof variantId !== 'string') return null;
  return {
    platform: PLATFORMS.has(platform) ? platform : 'custom',
    isStreaming,
    deviceType: DEVICE_TYPES.has(deviceType) ? deviceType : null,
    variantId: variantId === '' ? null : variantId,
  };
}
