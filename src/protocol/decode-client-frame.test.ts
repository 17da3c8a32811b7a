import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadVectors } from '../../test/load-vectors.ts';
import {
  type ClientEvent,
  decodeClientFrame,
  encodeClientEvent,
  utf8Length,
  type Vocabulary,
} from './index.ts';

interface FrameCase {
  readonly name: string;
  readonly frame?: unknown;
  readonly raw?: string;
  readonly expect: { readonly accept?: unknown; readonly error?: string; readonly custom?: unknown };
}

interface SizeCase {
  readonly name: string;
  readonly build: {
    readonly prefix: string;
    readonly fill: string;
    readonly suffix: string;
    readonly total_bytes: number;
  };
  readonly expect: { readonly accept_type?: string; readonly error?: string; readonly close?: number };
}

const vectors = loadVectors<{
  readonly client_frames: readonly FrameCase[];
  readonly client_frame_sizes: readonly SizeCase[];
}>('wire-frames');

describe('decodeClientFrame follows the wire-frames vectors', () => {
  it.each(vectors.client_frames.map((vector) => [vector.name, vector] as const))(
    'decodeClientFrame reads the vector "%s"',
    (_, vector) => {
      const decoded = decodeClientFrame(vector.raw ?? JSON.stringify(vector.frame));
      if (vector.expect.accept)
        expect(decoded).toMatchObject({ kind: 'accept', event: vector.expect.accept });
      else
        expect(decoded).toEqual({ kind: 'error', text: vector.expect.error, custom: vector.expect.custom });
    },
  );

  it.each(vectors.client_frame_sizes.map((vector) => [vector.name, vector] as const))(
    'decodeClientFrame limits the size of the vector "%s"',
    (_, vector) => {
      const { prefix, fill, suffix, total_bytes } = vector.build;
      const decoded = decodeClientFrame(
        prefix + fill.repeat(total_bytes - prefix.length - suffix.length) + suffix,
      );
      if (vector.expect.accept_type) {
        expect(decoded).toMatchObject({ kind: 'accept', event: { type: vector.expect.accept_type } });
      } else if (vector.expect.close) expect(decoded).toEqual({ kind: 'close', code: vector.expect.close });
      else expect(decoded).toMatchObject({ kind: 'error', text: vector.expect.error });
    },
  );
});

describe('decodeClientFrame', () => {
  it('refuses a binary frame', () => {
    expect(decodeClientFrame(null)).toMatchObject({
      kind: 'error',
      text: 'Unknown event type or invalid message format',
    });
  });

  it('closes on a binary frame above the hard limit', () => {
    expect(decodeClientFrame(null, 2_000_000)).toEqual({ kind: 'close', code: 1009 });
  });

  it('reads a payload under the key of its type, unless there is another payload (5.4)', () => {
    const textOf = (fields: object): unknown => {
      const decoded = decodeClientFrame(JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', ...fields }));
      return decoded.kind === 'accept' ? Reflect.get(decoded.event.payload, 'text') : decoded.kind;
    };
    const keyed = { user_message: { text: 'keyed' } };
    expect(textOf(keyed)).toBe('keyed');
    expect(textOf({ ...keyed, payload: null })).toBe('keyed');
    expect(textOf({ ...keyed, payload: { text: 'plain' } })).toBe('plain');
    expect(textOf({ ...keyed, payload: 'no object' })).toBe('error');
    expect(textOf({ user_message: 'keyed' })).toBe('error');
  });

  it('detects the vocabulary of a join request', () => {
    const sent = (type: string): unknown =>
      decodeClientFrame(JSON.stringify({ type, payload: { text: 'x' } }));
    expect(sent('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')).toMatchObject({ sentVocabulary: 'poly' });
    expect(sent('EVENT_TYPE_REQUEST_AGENT_JOIN')).toMatchObject({ sentVocabulary: 'neutral' });
    expect(sent('EVENT_TYPE_USER_MESSAGE')).toMatchObject({ sentVocabulary: null });
  });

  it('reads back every event that a client can write, in both vocabularies', () => {
    const custom = fc.option(
      fc.dictionary(fc.string({ maxLength: 16 }), fc.string({ maxLength: 64 }), { maxKeys: 8 }),
    );
    const event = fc.oneof(
      fc.record({
        type: fc.constant('EVENT_TYPE_USER_MESSAGE' as const),
        payload: fc.record({ text: fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== '') }),
        custom,
      }),
      fc.record({
        type: fc.constant('EVENT_TYPE_REQUEST_AGENT_JOIN' as const),
        payload: fc.constant({}),
        custom,
      }),
      fc.record({ type: fc.constant('EVENT_TYPE_HEARTBEAT' as const), payload: fc.constant({}), custom }),
    );
    fc.assert(
      fc.property(event, fc.constantFrom<Vocabulary>('neutral', 'poly'), (sent: ClientEvent, vocabulary) => {
        expect(decodeClientFrame(encodeClientEvent(sent, vocabulary))).toMatchObject({
          kind: 'accept',
          event: sent,
        });
      }),
    );
  });
});

describe('utf8Length', () => {
  it('agrees with the platform encoder on any text, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
    expect(utf8Length('\ud800x')).toBe(new TextEncoder().encode('\ud800x').length);
  });
});
