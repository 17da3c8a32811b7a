import type { ClientEvent } from './client-events.ts';
import { toWireType, type Vocabulary } from './vocabulary.ts';

/**
 * Encodes one frame to the platform: type, payload, and `metadata` only if there is a custom map.
 * Source: messaging.md 5.2, V-3.
 */
export function encodeClientEvent(event: ClientEvent, vocabulary: Vocabulary): string {
  return JSON.stringify({
    type: toWireType(event.type, vocabulary),
    payload: event.payload,
    ...(event.custom && { metadata: { custom: event.custom } }),
  });
}
