import { answerQuestion } from '../../server-platform/src/agents/knowledge/answer-question.ts';
import { flowStartedBy } from '../../server-platform/src/agents/knowledge/event-flow.ts';
import { loadIntents } from '../../server-platform/src/agents/knowledge/intents/load-intents.ts';
import { matchIntent } from '../../server-platform/src/agents/knowledge/intents/match-intent.ts';
import { createKnowledgeAgent } from '../../server-platform/src/agents/knowledge/knowledge-agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from '../../server-platform/src/agents/knowledge/knowledge-agent-config.ts';
import { createKnowledgeIndex } from '../../server-platform/src/agents/knowledge/knowledge-index.ts';
import { readMemory } from '../../server-platform/src/agents/knowledge/memory.ts';
import { readMessage } from '../../server-platform/src/agents/knowledge/reply-to-intent.ts';
import { splitQuestions } from '../../server-platform/src/agents/knowledge/split-questions.ts';
import { tokenize } from '../../server-platform/src/agents/knowledge/text/tokenize.ts';
import { readTimeQuestion } from '../../server-platform/src/agents/knowledge/time/read-time-question.ts';
import { ToolCallAssembly } from '../../server-platform/src/agents/llm/assemble-tool-calls.ts';
import { messageTurn } from '../../server-platform/src/agents/testing/agent-turn.ts';
import { ISLAND_ARTICLES } from '../../server-platform/src/agents/testing/island-articles.ts';
import { verifyContextToken } from '../../server-platform/src/auth/context-token.ts';
import { readCursor } from '../../server-platform/src/conversations/conversation-cursor.ts';
import { createHashedEmbedder } from '../../server-platform/src/conversations/vectors/hashed-embedder.ts';
import { searchWords } from '../../server-platform/src/db/search-words.ts';
import { storableText } from '../../server-platform/src/db/storable-text.ts';
import { readEventBody } from '../../server-platform/src/event-intake/event-body.ts';
import { findEventId } from '../../server-platform/src/event-intake/find-event-id.ts';
import { atOnce, readWholeBody } from '../../server-platform/src/event-intake/testing/read-whole-body.ts';
import { deskEventSchema } from '../../server-platform/src/handoff/desk-event.ts';
import { clientAddress } from '../../server-platform/src/http/client-address.ts';
import { readHost } from '../../server-platform/src/rest/host-regions.ts';
import { conversationReader } from '../../server-sdk/src/conversations/conversation-readers.ts';
import { JsonListReader } from '../../server-sdk/src/conversations/json-list-reader.ts';
import {
  alertRuleCreateBodySchema,
  chatCreateBodySchema,
  conversationsQuerySchema,
  findClientAddress,
  isPrivateHost,
  parseBody,
  parseQuery,
  parseTime,
  webhookEndpointBodySchemas,
} from '../../server-sdk/src/index.ts';
import { acceptsEncoding } from '../../server-token-proxy/src/embed-files.ts';
import { normalizeOrigin } from '../../server-token-proxy/src/origin-policy.ts';
import { parseSessionRequest } from '../../server-token-proxy/src/parse-request.ts';
import { createRedactor } from '../../server-token-proxy/src/redact.ts';
import { parseCursor } from '../../src/protocol/cursor.ts';
import { decodeClientFrame } from '../../src/protocol/decode-client-frame.ts';
import { decodeServerFrame } from '../../src/protocol/decode-server-frame.ts';
import { matchesOrigin, matchesRegisteredHost } from '../../src/protocol/host-matching.ts';
import { readTimestampMs } from '../../src/protocol/read-timestamp.ts';
import { parseBlocks } from '../../src/widget/markdown/parse-blocks.ts';
import { toPlainText } from '../../src/widget/markdown/to-plain-text.ts';
import { toTelHref } from '../../src/widget/safe-href.ts';
import { attempt, fill, type LinearCase, numbered, of } from './linear-case.ts';
import { PEOPLE } from './people-cases.ts';
import { VISITORS } from './visitor-cases.ts';

// --- Forms, XML, JSON and plain text of external events ---------------------------------------------------------------

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

const EVENTS: readonly LinearCase[] = [
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

// --- Queries, headers and bodies of REST ------------------------------------------------------------------------------

const queryOf = (text: string): URLSearchParams => new URLSearchParams(text);
const conversations = conversationsQuerySchema('v3');

const REST: readonly LinearCase[] = [
  of(
    'query of many unknown names',
    (size) => numbered(size, (n) => `f${n}=1`, '&'),
    (text) => parseQuery(conversations, queryOf(text)),
  ),
  of(
    'query of one name many times',
    (size) => fill(size, 'channel=a&'),
    (text) => parseQuery(conversations, queryOf(text)),
  ),
  of('time of many digits', (size) => fill(size, '1', '2026-01-01T00:00:00.'), parseTime),
  of(
    'integer of many digits',
    (size) => fill(size, '9', 'limit='),
    (text) => parseQuery(conversations, queryOf(text)),
  ),
  of(
    'body of many unknown fields',
    (size) => `{${numbered(size, (n) => `"f${n}":1`, ',')}}`,
    (text) => parseBody(alertRuleCreateBodySchema, JSON.parse(text)),
  ),
  of(
    'webhook endpoint of many types',
    (size) => `{"event_types":[${fill(size, '"alerts.resolved",')}"a"]}`,
    (text) => parseBody(webhookEndpointBodySchemas(false).create, JSON.parse(text)),
  ),
  of(
    'webhook endpoint of many headers',
    (size) => `{"headers":{${numbered(size, (n) => `"f${n}":"1"`, ',')}}}`,
    (text) => parseBody(webhookEndpointBodySchemas(false).create, JSON.parse(text)),
  ),
  of(
    'attributes of deep lists',
    (size) => `{"integration_attributes":{"a":${fill(size, '[')}${fill(size, ']')}}}`,
    (text) => parseBody(chatCreateBodySchema, JSON.parse(text)),
  ),
  of(
    'desk event of many attachments',
    (size) => `{"type":"message","attachments":[${fill(size, '{"a":1},')}{}]}`,
    (text) => parseBody(deskEventSchema, JSON.parse(text)),
  ),
  of('cursor', (size) => fill(size, 'eyJh'), readCursor),
  of('cursor of foreign characters', (size) => fill(size, '%'), readCursor),
  of(
    'Host of colons',
    (size) => fill(size, ':1', 'api', 'x'),
    (text) =>
      readHost(
        { runtime: { pattern: 'api.{region}.example.com', regions: ['us-1'] }, monitoring: null },
        text,
      ),
  ),
  of('private host of dots', (size) => fill(size, '1.'), isPrivateHost),
  of(
    'forwarded-for of many entries',
    (size) => fill(size, '1.1.1.1, '),
    (text) => clientAddress('::1', text, 2),
  ),
  of(
    'forwarded-for of brackets',
    (size) => fill(size, ']:1', '['),
    (text) => clientAddress('::1', text, 1),
  ),
  of(
    'context token of dots',
    (size) => fill(size, '.'),
    (text) => verifyContextToken(text, { contextId: 'c', keys: new Map(), nowSeconds: 0 }),
  ),
];

// --- Words that are searched ------------------------------------------------------------------------------------------

const SCRIPTS = ['ก', '中', 'កា', 'မ'];
// Marks of two combining classes in turn: canonical order wants them sorted.
const MARKS = '\u0315\u0316';

const SEARCH: readonly LinearCase[] = [
  of('search words of one letter run', (size) => fill(size, 'a'), searchWords),
  of('search words, each another', (size) => numbered(size, (n) => `w${n}`, ' '), searchWords),
  of('search words of combining marks', (size) => fill(size, MARKS, 'a'), searchWords),
  ...SCRIPTS.map((letter) =>
    of(`search words without spaces, ${letter}`, (size) => fill(size, letter), searchWords),
  ),
  of('storable text of half surrogates', (size) => fill(size, '\ud800'), storableText),
  of(
    'hashed vector of combining marks',
    (size) => fill(size, MARKS, 'a'),
    (text) => createHashedEmbedder().embedQuery(text, new AbortController().signal),
  ),
  of(
    'hashed vector of many words',
    (size) => numbered(size, (n) => `w${n}`, ' '),
    (text) => createHashedEmbedder().embedQuery(text, new AbortController().signal),
  ),
];

// --- What visitors write to the built-in agent, and models answer ------------------------------------------------------

const index = createKnowledgeIndex(ISLAND_ARTICLES);
const config = { ...KNOWLEDGE_AGENT_DEFAULTS, name: '* Ada *', pacing: { minMs: 0, maxMs: 0 } };
const agent = createKnowledgeAgent(config, index);
const ask = (text: string): unknown => {
  const turn = messageTurn(text);
  return answerQuestion(index, turn, config, readMemory({}), {
    ...readMessage(text, turn, config, index),
    isTranslated: false,
  });
};
const TIMETABLE = {
  directions: [],
  placeNames: [['tarrow', 'Tarrow']] as const,
  summer: { from: '04-01', to: '10-31' },
  closed: new Set<string>(),
};
const intents = loadIntents();
const said = { language: 'en', isEnglish: false, isKnown: () => false };
const FLOW = {
  name: 'pay',
  phrases: ['pay now'],
  text: '',
  receivedText: '',
  timedOutText: '',
  timeoutMs: 1,
};

const AGENTS: readonly LinearCase[] = [
  ...['a', 'ying', 'a-', ' ', MARKS, 'Ada '].flatMap((unit) => [
    of(`tokens of ${JSON.stringify(unit)}`, (size) => fill(size, unit, 'a'), tokenize),
    of(
      `intent of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a'),
      (text) => matchIntent(text, intents, said),
    ),
    of(`answer to ${JSON.stringify(unit)}`, (size) => fill(size, unit, 'a', 'b'), ask),
    of(`questions of ${JSON.stringify(unit)}`, (size) => fill(size, unit, 'a'), splitQuestions),
    of(
      `sailings asked with ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a'),
      (text) => readTimeQuestion(text, TIMETABLE, { day: 20_000, minutes: 0 }, { route: null, words: '' }),
    ),
    // Runs up to the first action: by then the whole reply is decided.
    of(
      `reply to ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a', '\ud83d\udc36'),
      (text) => agent.run(messageTurn(text))[Symbol.asyncIterator]().next(),
    ),
    of(
      `flow of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit, 'a'),
      (text) => flowStartedBy(text, [FLOW]),
    ),
  ]),
  of('tokens of a run of "y" before a suffix', (size) => fill(size, 'y', 'b', 'ement'), tokenize),
  {
    name: 'tool calls in many pieces',
    prepare: (size) => {
      const pieces = Array.from({ length: size / 8 }, (_, n) => ({
        index: n,
        id: null,
        name: 'a',
        arguments: 'b',
      }));
      return () => {
        const assembly = new ToolCallAssembly();
        for (const piece of pieces) assembly.add(piece);
        return assembly.complete();
      };
    },
  },
  {
    name: 'tool calls by id',
    prepare: (size) => {
      const pieces = Array.from({ length: size / 8 }, (_, n) => ({
        index: null,
        id: `c${n}`,
        name: 'a',
        arguments: 'b',
      }));
      return () => {
        const assembly = new ToolCallAssembly();
        for (const piece of pieces) assembly.add(piece);
        return assembly.complete();
      };
    },
  },
];

// --- The protocol -----------------------------------------------------------------------------------------------------

const HOSTS = [{ kind: 'domain', value: 'example.com' } as const];
const frameOf = (fields: object): string => JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', ...fields });
const client = (text: string): unknown =>
  decodeClientFrame(text, text.length, { maxFrameBytes: 0, hardMaxFrameBytes: Number.POSITIVE_INFINITY });

const PROTOCOL: readonly LinearCase[] = [
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

// --- Markdown ---------------------------------------------------------------------------------------------------------

const UNITS = [
  '*',
  '**',
  '_a',
  '*a',
  '**a',
  '*a **b',
  '***a',
  '`',
  '``',
  '`a',
  '[',
  '![',
  ']',
  '[a](',
  '[a](b',
  '[a](b)',
  '[a](b "c',
  "[a](b 'c",
  '](',
  '((',
  'http://',
  'http://(',
  'http://a.',
  '<',
  '<a',
  '<a ',
  '<a href=b ',
  '<a href=b>',
  '<br ',
  '<code',
  '<code>',
  '</a>',
  '<b>',
  '<b><i>',
  '<https://',
  '<li>',
  '<ul>',
  '<ul><li>',
  '</ul>',
  '<p ',
  '&',
  '&amp;',
  '&#',
  '\\',
  '\\*',
  '|',
  '| a ',
  '- ',
  '- a\n',
  '  - a\n',
  '1. ',
  '1. a\n',
  '# ',
  ' #',
  '#',
  '~',
  '~~~\n',
  '```\n',
  '\n',
  '\n\n',
  'a\n\n',
  '|a|b|\n|-|-|\n',
  ' ',
  '\t',
  '\u2028',
  'www.',
  '> ',
  '>',
  '> a\n',
  '> - ',
  '~~',
  '~~a ',
  '~a ~~b ',
  '*a _b ',
  '*a_',
  'a**b',
  '- [ ] ',
  '- [x] a\n',
  'a\n===\n',
  'a\n---\n',
  '---\n',
  '- - -',
  '    a\n',
  '\ta\n',
  '[a]: b\n',
  '[a]: b\n\n',
  '[a]: b "c\n',
  "[a]: b\n'c\n",
  '[a]:',
  '[a][b]',
  '[a][',
  '[a] ',
  '![a]',
  '![[a](b)',
  'a@',
  'a.',
  'a@b.',
  'a  \n',
  '1) - > ',
] as const;
const rich = (text: string): unknown => [
  toPlainText(parseBlocks(text.split('\n'), true).blocks),
  parseBlocks(text.split('\n'), false).blocks,
];

/** Every marker of Markdown, begun again and again: for the measurement, and too many for a test. */
export const MARKDOWN_MARKERS: readonly LinearCase[] = UNITS.flatMap((unit) => [
  of(`Markdown of ${JSON.stringify(unit)}`, (size) => fill(size, unit, 'a '), rich),
  of(`Markdown that begins with ${JSON.stringify(unit)}`, (size) => fill(size, unit, '', ' a'), rich),
]);

const MARKDOWN: readonly LinearCase[] = [
  of('Markdown heading of spaces', (size) => fill(size, ' ', '#', 'a\u2028b'), rich),
  of('Markdown heading of signs', (size) => fill(size, ' #', '# a', 'b'), rich),
  of('Markdown fence of tildes', (size) => fill(size, '~', '', '`'), rich),
  of('Markdown fence of backticks', (size) => fill(size, '`', '', 'a`'), rich),
  of('Markdown link with spaces', (size) => fill(size, ' ', '[a](', 'y z'), rich),
  of('Markdown link with spaces after it', (size) => fill(size, ' ', '[a](b', 'y z'), rich),
  of('Markdown link of brackets', (size) => fill(size, '(', '[a](', ' z'), rich),
  of('Markdown element of addresses', (size) => fill(size, ' href=x', '<a ', '<'), rich),
  of('Markdown element of signs', (size) => fill(size, ' href=', '<a ', '<'), rich),
  of('Markdown address of full stops', (size) => fill(size, '.', 'http://'), rich),
  of(
    'Markdown address of other letters',
    (size) => `http://${numbered(size / 8, (n) => String.fromCodePoint(0x4e00 + ((n * 7) % 20_000)))}.de`,
    rich,
  ),
  of('Markdown quotes in quotes', (size) => fill(size, '>', '', ' a'), rich),
  of('Markdown lines in a deep quote', (size) => fill(size, 'a\n', '> > > > > > > > '), rich),
  of(
    'Markdown lines in a deep list',
    (size) => fill(size, '                a\n', '- - - - - - - - a\n'),
    rich,
  ),
  of('Markdown signs that close what other signs opened', (size) => fill(size, '*a_ ', '_b '), rich),
  of('Markdown emphasis in emphasis', (size) => fill(size, '*a _b ') + fill(size, 'a_ b* '), rich),
  of('Markdown strikethrough of many signs', (size) => fill(size, '~~a~'), rich),
  of('Markdown rule that is none', (size) => fill(size, '- ', '', 'a'), rich),
  of('Markdown rule of spaces', (size) => fill(size, ' ', '--', 'a'), rich),
  of(
    'Markdown definitions',
    (size) => numbered(size, (n) => `[a${n}]: b\n`) + numbered(size, (n) => `[a${n}] `),
    rich,
  ),
  of('Markdown definition of spaces', (size) => fill(size, ' ', '[a]:', 'b c'), rich),
  of('Markdown definition with spaces after it', (size) => fill(size, ' ', '[a]: b', 'c d'), rich),
  of('Markdown definition of a long label', (size) => fill(size, 'a', '[', ']: b'), rich),
  of('Markdown definition of a long title', (size) => fill(size, 'a\n', '[a]: b "'), rich),
  of('Markdown title of signs that are escaped', (size) => fill(size, '\\"', '[a](b "'), rich),
  of('Markdown references without a definition', (size) => numbered(size, (n) => `[a${n}][b${n}] `), rich),
  of('Markdown label of spaces', (size) => fill(size, ' ', '[a][', '](b)'), rich),
  of('Markdown link in levels of brackets', (size) => fill(size, '[a](b(c(d('), rich),
  of('Markdown link of signs that are escaped', (size) => fill(size, '\\(', '[a]('), rich),
  of('Markdown address of mail', (size) => fill(size, 'a', '', '@'), rich),
  of('Markdown address of mail with many names', (size) => fill(size, 'a.', 'a@', '-'), rich),
  of('Markdown address of semicolons', (size) => fill(size, ';', 'http://a'), rich),
  of('Markdown address of brackets', (size) => fill(size, '(', 'http://a') + fill(size, ')'), rich),
  of(
    'Markdown runs of many lengths',
    (size) => numbered(Math.sqrt(size) * 8, (n) => '`'.repeat(n), ' '),
    rich,
  ),
  of('Markdown line of tabs', (size) => fill(size, '\t', '', 'a'), rich),
  of('Markdown line of spaces', (size) => fill(size, ' ', 'a\n', 'a\nb'), rich),
  of('Markdown spaces before the end of a line', (size) => fill(size, ' ', 'a', '\na'), rich),
  of('Markdown code of empty lines', (size) => fill(size, '    \n', '    a\n', 'b'), rich),
  of('Markdown row of pipes', (size) => `${fill(size, '|')}\n${fill(size, '|-')}`, rich),
  of('Markdown titles without an end', (size) => fill(size, '[a](b "', '', "'"), rich),
  of('Markdown labels in labels', (size) => fill(size, '[a', '', ')'), rich),
  of('Markdown elements around much', (size) => fill(size, 'a *b* ', '<b>', '</b>'), rich),
  of('phone number', (size) => fill(size, '+ 1'), toTelHref),
];

// --- The token proxy and the SDK --------------------------------------------------------------------------------------

const redact = createRedactor(['secret']);

const CLIENTS: readonly LinearCase[] = [
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
    (text) => attempt(() => parseSessionRequest(JSON.parse(text))),
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
    (text) => parseBody(conversationReader, { turns: [{ entities: JSON.parse(text) }] }),
  ),
];

/** Every reader of outside input, by what reads it. */
export const LINEAR_CASES: readonly LinearCase[] = [
  ...EVENTS,
  ...REST,
  ...SEARCH,
  ...AGENTS,
  ...PROTOCOL,
  ...MARKDOWN,
  ...CLIENTS,
  ...PEOPLE,
  ...VISITORS,
];
