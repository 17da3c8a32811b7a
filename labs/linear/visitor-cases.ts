import { readContactWords } from '../../server-platform/src/messaging/gateway/contact-words.ts';
import { identifyFile } from '../../server-token-proxy/src/file-types.ts';
import {
  parseChatRespondRequest,
  parseContactRequest,
  parseContextRequest,
  parseFeedbackRequest,
  parseProbeRequest,
  parseSearchRequest,
  parseTicketRequest,
} from '../../server-token-proxy/src/parse-request.ts';
import { createResumeCookie } from '../../server-token-proxy/src/resume-cookie.ts';
import { attempt, fill, type LinearCase, of } from './linear-case.ts';

const ORIGIN = 'https://example.com';
const cookie = createResumeCookie('', 600);
const readers = [
  (text: string) => parseContactRequest({ name: text, email: text, text }),
  (text: string) => parseFeedbackRequest({ message_id: text, rating: 'up', reason: text }),
  (text: string) => parseSearchRequest({ query: text, language: text }),
  (text: string) => parseProbeRequest({ session_id: text, access_token: text }),
  (text: string) => parseTicketRequest({ resume_ticket: text, connector: text }),
  (text: string) => parseContextRequest({ token: text, connector: text }),
  (text: string) => parseChatRespondRequest({ text, chat: text }),
];
const TEXT = new TextEncoder().encode('a text');

/** What visitors' browsers send to the routes of the token proxy, and to the platform behind it. */
export const VISITORS: readonly LinearCase[] = [
  ...['a', 'a@', '@', 'a.', '.', ' ', '\n', '\u0301', '\ud800'].flatMap((unit) => [
    of(
      `body of a visitor of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a', 'a'),
      (text) => readers.map((read) => attempt(() => read(text))),
    ),
    of(
      `contact request of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a@', 'a'),
      (text) => readContactWords({ kind: 'object', fields: { name: text, email: text, text } }),
    ),
    of(
      `file name of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a', '.txt'),
      (text) => identifyFile(text, TEXT),
    ),
  ]),
  ...['/', '\\', '. ', '.. ', '%', '.txt'].map((unit) =>
    of(
      `file name of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a', 'b'),
      (text) => identifyFile(text, TEXT),
    ),
  ),
  ...[';', '=', ' ', 'natter-'].map((unit) =>
    of(
      `resume cookie of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit),
      (text) => cookie.read(new Headers({ cookie: text }), ORIGIN, 'default'),
    ),
  ),
];
