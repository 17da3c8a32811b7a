import { type EncodedEvent, encodeServerEvent, type OutgoingEvent, type Vocabulary } from 'natter/protocol';

/** Turns events to frames, once per event and vocabulary however many sockets get it. */
export interface FrameEncoder {
  encode(event: OutgoingEvent, vocabulary: Vocabulary): EncodedEvent;
}

/** Makes an encoder that forgets an event's frames with the event. */
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
