import {
  decodeClientFrame,
  decodeServerFrame,
  matchesOrigin,
  matchesRegisteredHost,
  parseCursor,
} from 'natter/protocol';
import { readTimestampMs } from '../../../src/protocol/read-timestamp.ts';
import { fill, type LinearCase, numbered, of } from '../linear-case.ts';

const HOSTS = [{ kind: 'domain', value: 'example.com' } as const];
const frameOf = (fields: object): string => JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', ...fields });
const client = (text: string): unknown =>
  decodeClientFrame(text, text.length, { maxFrameBytes: 0, hardMaxFrameBytes: Number.POSITIVE_INFINITY });

/** The protocol. */
export const PROTOCOL: readonly LinearCase[] = [
  of(
    'host of spaces inside',
    (size) => fill(size, ' ', 'a', 'b'),
    (text) => matchesRegisteredHost(HOSTS, text),
  ),
  of(
    'host of spaces around',
    (size) => fill(size, ' ', ' ', 'a'),
    (text) => matchesRegisteredHost(HOSTS, text),
  ),
  of(
    'host of labels',
    (size) => fill(size, 'a.'),
    (text) => matchesRegisteredHost(HOSTS, text),
  ),
  of(
    'host of colons',
    (size) => fill(size, ':1', 'a'),
    (text) => matchesRegisteredHost(HOSTS, text),
  ),
  of(
    'origin of spaces',
    (size) => fill(size, ' ', 'https://a', 'b'),
    (text) => matchesOrigin(HOSTS, text, true),
  ),
  of('cursor of a handshake', (size) => fill(size, '1', 'seq:', 'x'), parseCursor),
  of('timestamp of many digits', (size) => fill(size, '1', '2026-01-01T00:00:00.', 'x'), readTimestampMs),
  of('frame of deep lists', (size) => `{"type":${fill(size, '[')}${fill(size, ']')}}`, client),
  of('frame of a long type', (size) => frameOf({ type: fill(size, 'EVENT_TYPE_') }), client),
  of(
    'frame of many custom fields',
    (size) =>
      `{"type":"EVENT_TYPE_USER_MESSAGE","metadata":{"custom":{${numbered(size, (n) => `"f${n}":"1"`, ',')}}}}`,
    client,
  ),
  of('frame of white space', (size) => frameOf({ payload: { text: fill(size, ' ') } }), client),
  of(
    'attachment whose host has other letters',
    (size) => {
      const letters = numbered(size / 8, (n) => String.fromCodePoint(0x4e00 + ((n * 7) % 20_000)));
      const attachments = [{ content_url: `https://${letters}.example` }];
      const fields = { id: 'i', timestamp: 't', payload: { message_id: 'm', text: '', attachments } };
      return JSON.stringify({ type: 'EVENT_TYPE_AGENT_MESSAGE', ...fields });
    },
    decodeServerFrame,
  ),
  of(
    'batch of many events',
    (size) =>
      `{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[${numbered(size, (n) => `{"type":"EVENT_TYPE_AGENT_THINKING","id":"i","timestamp":"t","sequence":${-n}}`, ',')}]}}`,
    (text) => decodeServerFrame(text),
  ),
];
