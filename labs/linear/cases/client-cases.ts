import { conversationSchema, findClientAddress, parseBody } from '@natter/sdk';
import { JsonListReader } from '../../../server-sdk/src/resources/conversations/json-list-reader.ts';
import { readerOf } from '../../../server-sdk/src/schema/reader-of.ts';
import { acceptsEncoding } from '../../../server-token-proxy/src/embed-files/serve-embed-file.ts';
import { normalizeOrigin } from '../../../server-token-proxy/src/http/origin-policy.ts';
import { parseFields } from '../../../server-token-proxy/src/http/read-body.ts';
import { createRedactor } from '../../../server-token-proxy/src/kit/redact.ts';
import { sessionSchema } from '../../../server-token-proxy/src/sessions/start-session.ts';
import { attempt, fill, type LinearCase, numbered, of } from '../linear-case.ts';

const redact = createRedactor(['secret']);

/** The token proxy and the SDK. */
export const CLIENTS: readonly LinearCase[] = [
  ...['a', 'a.', '.', 'aaaaaaaa.', '=', ' ', 'Bearer ', 'https://'].map((unit) =>
    of(`redacted text of ${JSON.stringify(unit)}`, (size) => fill(size, unit), redact),
  ),
  of(
    'forwarded-for of the proxy',
    (size) => fill(size, '1.1.1.1, '),
    (text) => findClientAddress('::1', text, 2),
  ),
  of(
    'address of brackets',
    (size) => fill(size, ']', '['),
    (text) => findClientAddress('::1', text, 1),
  ),
  of(
    'address of colons',
    (size) => fill(size, ':'),
    (text) => findClientAddress(text, null, 0),
  ),
  of('origin of the proxy', (size) => fill(size, 'a.', 'https://', '/b'), normalizeOrigin),
  of(
    'accepted encodings',
    (size) => fill(size, 'br;q=0,'),
    (text) => acceptsEncoding(text, 'gzip'),
  ),
  of(
    'session body of many fields',
    (size) => `{${numbered(size, (n) => `"f${n}":1`, ',')}}`,
    (text) => attempt(() => parseFields(sessionSchema, JSON.parse(text))),
  ),
  of(
    'list of records in small pieces',
    (size) => `{"conversations":[${fill(size, '{"a":[1]},')}{}]}`,
    (text) => {
      const reader = new JsonListReader('conversations');
      for (let at = 0; at < text.length; at += 8) reader.push(text.slice(at, at + 8));
      return reader.end();
    },
  ),
  of(
    'one record in small pieces',
    (size) => `{"conversations":["${fill(size, 'a')}"]}`,
    (text) => {
      const reader = new JsonListReader('conversations');
      for (let at = 0; at < text.length; at += 8) reader.push(text.slice(at, at + 8));
      return reader.end();
    },
  ),
  of(
    'entities of one name',
    (size) => `[${fill(size * 4, '{"a":"b"},')}{}]`,
    (text) => parseBody(readerOf(conversationSchema), { turns: [{ entities: JSON.parse(text) }] }),
  ),
];
