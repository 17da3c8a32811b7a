import { operations, PLATFORM_ERROR_CODES, webhookEventSchema } from '@natter/sdk';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from './build-openapi.ts';
import { errorCodesOf } from './error-codes.ts';
import { EXAMPLES, WEBHOOK_EXAMPLE } from './examples.ts';
import type { OpenApiPathItem } from './openapi-document.ts';
import { createSchemaWriter } from './schema-writer.ts';

const SETUP_IDS = ['accessTokenCreate', 'sessionCreate', 'sessionContextSubmit'];
const document = buildOpenApi({
  version: '1.2.3',
  servers: { runtime: 'https://api.us-1.example.com', monitoring: 'https://api.us.example.com' },
});
const referencesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' ? [String(inner)] : referencesIn(inner),
  );
};

describe('the OpenAPI document', () => {
  it("describes every operation once, at its service's server", () => {
    const items: readonly OpenApiPathItem[] = Object.values(document.paths);
    const ids = items.flatMap(({ get, post, put, patch, delete: remove }) =>
      [get, post, put, patch, remove].flatMap((operation) => operation?.operationId ?? []),
    );
    expect(ids.toSorted()).toEqual([...operations.map(({ id }) => id), ...SETUP_IDS].toSorted());
    expect(document.paths['/v1/alerts']?.servers).toEqual([{ url: 'https://api.us.example.com' }]);
    expect(document.paths['/v1/conversations/dni-reservation']?.servers).toEqual([
      { url: 'https://api.us-1.example.com' },
    ]);
  });

  it('names every parameter of every path', () => {
    for (const operation of operations) {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(operation.pathParameters), operation.id).toEqual(inPath);
    }
  });

  it('refers only to existing components of the OpenAPI document', () => {
    const references = new Set(referencesIn(document));
    const components = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(references.size).toBeGreaterThan(20);
    expect(components).toEqual(expect.arrayContaining([...references]));
  });

  it('builds an OpenAPI document of plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('requires key and connector token together where chat needs both', () => {
    const operation = document.paths['/{version}/{account_id}/{project_id}/chat/create']?.post;
    expect(operation?.security).toEqual([{ 'X-API-KEY': [], 'X-TOKEN': [] }]);
    expect(document.components.securitySchemes['X-TOKEN']).toEqual({
      type: 'apiKey',
      in: 'header',
      name: 'X-TOKEN',
    });
  });

  it('documents parameters of a version only where that version has them', () => {
    const names = (version: string): unknown =>
      document.paths[`/${version}/{account_id}/{project_id}/conversations`]?.get?.parameters?.map(
        ({ name }) => name,
      );
    expect(names('v1')).not.toContain('cursor');
    expect(names('v2')).toContain('cursor');
    expect(names('v2')).not.toContain('query_type');
    expect(names('v3')).toContain('query_type');
  });
});

describe('a schema as JSON Schema', () => {
  const write = (schema: v.GenericSchema<unknown>): unknown => createSchemaWriter().write(schema);
  const named = (name: string, entries: v.ObjectEntries): v.GenericSchema<unknown> =>
    v.pipe(v.object(entries), v.metadata({ name }));

  it('describes the input of a schema as JSON Schema', () => {
    expect(write(v.pipe(v.string(), v.regex(/^a/u), v.transform(Number)))).toEqual({
      type: 'string',
      pattern: '^a',
    });
    expect(write(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))))).toEqual({
      type: ['integer', 'null'],
      minimum: 0,
    });
    expect(write(v.optional(v.picklist(['a', 'b']), 'a'))).toEqual({
      type: 'string',
      enum: ['a', 'b'],
      default: 'a',
    });
    expect(write(v.objectWithRest({ a: v.optional(v.never()), b: v.string() }, v.never()))).toEqual({
      type: 'object',
      properties: { b: { type: 'string' } },
      required: ['b'],
      additionalProperties: false,
    });
  });

  it('keeps descriptions beside "or null", and the limits of numbers and lengths', () => {
    expect(write(v.pipe(v.nullable(v.string()), v.description('Or null.')))).toEqual({
      type: ['string', 'null'],
      description: 'Or null.',
    });
    expect(write(v.pipe(v.number(), v.maxValue(Number.MAX_SAFE_INTEGER)))).toEqual({ type: 'number' });
    expect(write(v.pipe(v.number(), v.maxValue(9)))).toEqual({ type: 'number', maximum: 9 });
  });

  it('refuses a schema that JSON Schema cannot express', () => {
    expect(() => write(v.date())).toThrow('"date"');
    expect(() => write(v.pipe(v.string(), v.creditCard()))).toThrow('"credit_card"');
    expect(() => write(v.pipe(v.string(), v.regex(/^a/i)))).toThrow('flags');
  });

  it('refuses two schemas of the same name', () => {
    const writer = createSchemaWriter();
    writer.write(named('Same', { a: v.string() }));
    expect(writer.write(named('Same', { a: v.string() }))).toEqual({ $ref: '#/components/schemas/Same' });
    expect(() => writer.write(named('Same', { b: v.string() }))).toThrow('Same');
  });
});

describe('examples and error codes', () => {
  const fits = (schema: v.GenericSchema<unknown> | undefined, value: unknown, where: string): void =>
    expect(schema === undefined ? [] : (v.safeParse(schema, value).issues ?? []), where).toEqual([]);

  it('has an example for every operation that its schemas accept', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(operations.map(({ id }) => id).sort());
    for (const { id, pathParameters, query, body, success } of operations) {
      const { path = {}, query: values, body: sent, otherBodies = {}, answer } = EXAMPLES[id] ?? {};
      expect(Object.keys(path), id).toEqual(Object.keys(pathParameters));
      for (const [name, schema] of Object.entries(pathParameters)) fits(schema, path[name], `${id} ${name}`);
      if (values !== undefined) fits(query, values, `${id} query`);
      expect(values === undefined, id).toBe(query === undefined);
      expect(sent === undefined, id).toBe(body === undefined);
      if (sent !== undefined) fits(body?.schema, sent, `${id} body`);
      expect(Object.keys(otherBodies), id).toEqual(Object.keys(body?.otherTypes ?? {}));
      for (const [type, schema] of Object.entries(body?.otherTypes ?? {}))
        fits(schema, otherBodies[type], `${id} ${type}`);
      expect(answer === undefined, id).toBe(success.schema === undefined);
      if (answer !== undefined) fits(success.schema, answer, `${id} answer`);
    }
    fits(webhookEventSchema, WEBHOOK_EXAMPLE, 'webhook');
  });

  it('names every error code at least once, and no unknown one', () => {
    const named = new Set(
      operations.flatMap((operation) =>
        [...operation.errors, 405, 413, 415, 429].flatMap((status) => errorCodesOf(operation, status)),
      ),
    );
    expect([...named].sort()).toEqual(Object.keys(PLATFORM_ERROR_CODES).sort());
  });

  it('has an error code for every status of every operation', () => {
    for (const operation of operations)
      for (const status of operation.errors)
        if (operation.errorShape !== 'D')
          expect(errorCodesOf(operation, status), `${operation.id} ${status}`).not.toEqual([]);
  });

  it('documents for every operation with a body that it may be too large or in an unknown encoding (C-7)', () => {
    const withBody = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .filter(({ requestBody }) => requestBody !== undefined);
    expect(withBody.length).toBeGreaterThan(10);
    for (const { operationId, responses } of withBody)
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['413', '415']));
  });

  it('describes the calls before the socket with the codes of the contract', () => {
    const refusals = document.paths['/api/v1/sessions']?.post?.responses['401']?.content;
    expect(Object.keys(refusals?.['application/json']?.examples ?? {})).toEqual([
      'MISSING_AUTH_HEADERS',
      'INVALID_ACCESS_TOKEN',
    ]);
    expect(document.paths['/api/v1/access-token']?.post?.security).toEqual([{ 'X-TOKEN': [] }]);
    expect(document.components.securitySchemes['accessToken']).toEqual({ type: 'http', scheme: 'bearer' });
  });
});
