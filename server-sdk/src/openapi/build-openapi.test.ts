import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { buildOpenApi, type OpenApiPathItem, operations } from '../index.ts';
import { objectOf } from '../schema/object-of.ts';
import { toJsonSchema } from './to-json-schema.ts';

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
  it('describes every operation once, at the server of its service', () => {
    const items: readonly OpenApiPathItem[] = Object.values(document.paths);
    const ids = items.flatMap(({ get, post, put, patch, delete: remove }) =>
      [get, post, put, patch, remove].flatMap((operation) => operation?.operationId ?? []),
    );
    expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
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

  it('refers only to components that are there', () => {
    const references = new Set(referencesIn(document));
    const components = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(references.size).toBeGreaterThan(20);
    expect(components).toEqual(expect.arrayContaining([...references]));
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('asks for key and connector token together where chat needs both', () => {
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
  const write = (schema: unknown): unknown => toJsonSchema(schema, new Map());

  it('says what is taken in, before any transformation', () => {
    expect(write(v.pipe(v.string(), v.regex(/^a/), v.transform(Number), v.number()))).toEqual({
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
  });

  it('refuses what it cannot say, instead of leaving it out', () => {
    expect(() => write(v.date())).toThrow('schema date');
    expect(() => write(v.pipe(v.string(), v.email()))).toThrow('rule email');
  });

  it('refuses two schemas of one name', () => {
    const components = new Map();
    toJsonSchema(objectOf('Same', 'One.', { a: v.string() }), components);
    expect(() => toJsonSchema(objectOf('Same', 'One.', { b: v.string() }), components)).toThrow('Same');
  });
});
