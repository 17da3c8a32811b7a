import { readEventBody } from '../../../server-platform/src/realtime/external-events/event-body.ts';
import { findEventId } from '../../../server-platform/src/realtime/external-events/find-event-id.ts';
import {
  atOnce,
  readWholeBody,
} from '../../../server-platform/test/realtime/external-events/read-whole-body.ts';
import { fill, type LinearCase, numbered, of } from '../linear-case.ts';

const readEvent =
  (contentType: string, path = 'id') =>
  (text: string): unknown => {
    const read = readWholeBody(new TextEncoder().encode(text), contentType);
    if (read.status === 'refused') return read;
    const place = { headers: new Headers(), query: new URLSearchParams(), body: read.body };
    const query = { event_id_path: path, account_id: 'a', project_id: 'p' };
    return atOnce(findEventId(place, { event_id_location: 'payload', ...query }));
  };
const FORM = 'application/x-www-form-urlencoded';
// A path as long as a request line can hold.
const LONG_PATH = `${'a.'.repeat(4_000)}b`;

/** Forms, XML, JSON and plain text of external events. */
export const EVENTS: readonly LinearCase[] = [
  of('form of many fields', (size) => numbered(size, (n) => `f${n}=1`, '&'), readEvent(FORM)),
  of('form of one field many times', (size) => fill(size, 'a=1&'), readEvent(FORM)),
  of('form of one field of plus signs', (size) => fill(size, '+', 'a='), readEvent(FORM)),
  of('form of fields without a value', (size) => fill(size, 'ab&'), readEvent(FORM)),
  of('text of many pairs', (size) => numbered(size, (n) => `f${n}=1`, '\n'), readEvent('text/plain')),
  of(
    'JSON of many keys',
    (size) => `{${numbered(size, (n) => `"f${n}":1`, ',')}}`,
    readEvent('application/json'),
  ),
  of('JSON of deep lists', (size) => fill(size, '[') + fill(size, ']'), readEvent('application/json')),
  of('JSON of wide lists', (size) => `[${fill(size, '[],')}[]]`, readEvent('application/json')),
  of('XML of deep elements', (size) => fill(size, '<a>') + fill(size, '</a>'), readEvent('text/xml')),
  of('XML of many elements', (size) => fill(size, '<a/>', '<r>', '</r>'), readEvent('text/xml')),
  of(
    'XML of many elements at the end of a long path',
    (size) => `<r>${'<a>'.repeat(4_000)}${fill(size, '<a/>')}${'</a>'.repeat(4_000)}</r>`,
    readEvent('text/xml', LONG_PATH),
  ),
  of('XML tag of spaces', (size) => fill(size, ' ', '<a', 'b'), readEvent('text/xml')),
  of('XML tag of attributes', (size) => fill(size, ' b="c"', '<a', '/>'), readEvent('text/xml')),
  of('XML of half comments', (size) => fill(size, '<!--', '<a>'), readEvent('text/xml')),
  of('XML of references', (size) => fill(size, '&amp;', '<a>', '</a>'), readEvent('text/xml')),
  of(
    'XML text in many pieces',
    (size) => fill(size, 'a<![CDATA[b]]>', '<r><id>', '</id></r>'),
    readEvent('text/xml'),
  ),
  of(
    'content type of many parameters',
    (size) => fill(size, ';charset', 'text/plain'),
    (text) => readEventBody(new Uint8Array(), text),
  ),
];
