import { type EncodedEvent, encodeServerEvent, type OutgoingEvent, type Vocabulary } from 'natter/protocol';

/** Encodes events to frames, once per event and vocabulary for any number of sockets. */
export interface FrameEncoder {
  encode(event: OutgoingEvent, vocabulary: Vocabulary): EncodedEvent;
}

/** Makes an encoder whose cached frames are collected together with their event. */
export function createFrameEncoder(): FrameEncoder {
  const frames: Readonly<Record<Vocabulary, WeakMap<OutgoingEvent, EncodedEvent>>> = {
    neutral: new WeakMap(),
    poly: new WeakMap(),
  };
  return {
    encode(event, vocabulary) {
      const known = frames[vocabulary].get(event);
      if (known !== undefined) return known;
      const text = encodeServerEvent(event, vocabulary);
      const frame = { text, bytes: Buffer.byteLength(text) };
      frames[vocabulary].set(event, frame);
      return frame;
    },
  };
}
