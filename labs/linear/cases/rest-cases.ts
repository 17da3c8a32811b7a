import {
  alertRuleCreateBodySchema,
  chatCreateBodySchema,
  conversationsQuerySchema,
  isPrivateHost,
  parseBody,
  parseQuery,
  parseTime,
  webhookEndpointBodySchemas,
} from '@natter/sdk';
import { verifyContextToken } from '../../../server-platform/src/accounts/tokens/context-token.ts';
import { readHost } from '../../../server-platform/src/api/rest/host-regions.ts';
import { deskEventSchema } from '../../../server-platform/src/handoff/providers/desk-event.ts';
import { clientAddress } from '../../../server-platform/src/kit/http/client-address.ts';
import { readCursor } from '../../../server-platform/src/records/search/conversation-cursor.ts';
import { fill, type LinearCase, numbered, of } from '../linear-case.ts';

const queryOf = (text: string): URLSearchParams => new URLSearchParams(text);
const conversations = conversationsQuerySchema('v3');

/** Queries, headers and bodies of REST. */
export const REST: readonly LinearCase[] = [
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
