import { EXTENSIONS_KEY, extensionsOf } from 'natter/protocol';
import { identifyFile } from '../../../server-kit/src/file-types.ts';
import { readContactMessage } from '../../../server-platform/src/realtime/gateway/read-contact-message.ts';
import { contactSchema } from '../../../server-token-proxy/src/contact/contact-route.ts';
import { feedbackSchema } from '../../../server-token-proxy/src/contact/feedback-route.ts';
import { parseFields, ticketSchema } from '../../../server-token-proxy/src/http/read-body.ts';
import { pairSchema } from '../../../server-token-proxy/src/probe/probe-route.ts';
import { searchSchema } from '../../../server-token-proxy/src/search/search-route.ts';
import { contextSchema } from '../../../server-token-proxy/src/sessions/context-route.ts';
import { createResumeCookie } from '../../../server-token-proxy/src/sessions/resume-cookie.ts';
import { respondSchema } from '../../../server-token-proxy/src/turns/chat-routes.ts';
import { directionOf } from '../../../src/widget/dom/text-direction.ts';
import { readTarget } from '../../../src/widget/markdown/read-link.ts';
import { attempt, fill, type LinearCase, of } from '../linear-case.ts';

const ORIGIN = 'https://example.com';
const cookie = createResumeCookie('', 600);
const readers = [
  (text: string) => parseFields(contactSchema, { name: text, email: text, text }),
  (text: string) => parseFields(feedbackSchema, { message_id: text, rating: 'up', reason: text }),
  (text: string) => parseFields(searchSchema, { query: text, language: text }),
  (text: string) => parseFields(pairSchema, { session_id: text, access_token: text }),
  (text: string) => parseFields(ticketSchema, { resume_ticket: text, connector: text }),
  (text: string) => parseFields(contextSchema, { token: text, connector: text }),
  (text: string) => parseFields(respondSchema, { text, chat: text }),
];
const TEXT = new TextEncoder().encode('a text');

/** Inputs that visitors' browsers send to the token proxy and, through it, to the platform. */
export const VISITORS: readonly LinearCase[] = [
  of(
    'extensions of a join, of spaces',
    (size) => fill(size, ' '),
    (text) => extensionsOf({ [EXTENSIONS_KEY]: text }),
  ),
  ...['a', 'a.', '/', ' '].map((unit) =>
    of(
      `direction of a text of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a', '\u0000'),
      (text) => directionOf(text, 'ltr'),
    ),
  ),
  of(
    'title of a link that a stream has begun, of spaces',
    (size) => fill(size, ' ', '("', '"a'),
    (text) => readTarget(text, 0, true),
  ),
  ...['a', 'a@', '@', 'a.', '.', ' ', '\n', '\u0301', '\ud800'].flatMap((unit) => [
    of(
      `body of a visitor of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a', 'a'),
      (text) => readers.map((read) => attempt(() => read(text))),
    ),
    of(
      `contact request of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a@', 'a'),
      (text) =>
        readContactMessage({ kind: 'object', lossyField: null, fields: { name: text, email: text, text } }),
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
