import schema from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' };
import type { Platform } from '@natter/platform';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { decodeClientFrame, toNeutralType, vocabularyOfType } from 'natter/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asList, asObject } from '../contract/json-schema.ts';
import { almostFitting, fitting } from '../contract/schema-arbitraries.ts';
import { startExamplePlatform } from './example-platform.ts';
import { type Frame, visit } from './example-visitor.ts';
import { findDifferences } from './find-differences.ts';
import { holdConversations } from './hold-conversations.ts';

interface Message {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly examples: readonly { readonly payload: Frame }[];
}

interface Document {
  readonly servers: { readonly platform: { readonly host: string; readonly protocol: string } };
  readonly operations: Readonly<
    Record<string, { readonly action: string; readonly messages: readonly { readonly $ref: string }[] }>
  >;
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
}

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

let platform: Platform;
let document: Document;
let frames: readonly Frame[];
beforeAll(async () => {
  platform = await startExamplePlatform();
  document = await (await fetch(`${platform.url}/asyncapi.json`)).json();
  frames = await holdConversations(platform);
});
afterAll(() => platform.close());

const messagesOf = (action: 'send' | 'receive'): readonly Message[] =>
  Object.values(document.operations)
    .filter((operation) => operation.action === action)
    .flatMap(({ messages }) => messages)
    .map(({ $ref }) => {
      const message = document.components.messages[$ref.split('/').at(-1) ?? ''];
      if (message === undefined) throw new Error(`${$ref} points nowhere`);
      return message;
    });

/** Forbids fields that the schema does not name, so that a frame cannot have undescribed ones. */
function forbidOthers(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(forbidOthers);
  if (typeof given !== 'object' || given === null) return given;
  const inner = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, forbidOthers(value)]));
  return 'properties' in inner && !('additionalProperties' in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}

const compile = (message: Message): ValidateFunction => ajv.compile(asObject(forbidOthers(message.payload)));

describe('/asyncapi.json', () => {
  it('/asyncapi.json is a valid AsyncAPI 3.0 document', () => {
    const validate = ajv.compile(schema);
    validate(document);
    expect(validate.errors).toBeNull();
    expect(validate({ ...document, channels: 'none' })).toBe(false);
  });

  it('/asyncapi.json names the address that was requested', async () => {
    expect(document.servers.platform).toMatchObject({ host: new URL(platform.url).host, protocol: 'ws' });
    const headers = { 'X-Forwarded-Proto': 'https' };
    const secure = await fetch(`${platform.url}/asyncapi.json`, { headers });
    expect(await secure.json()).toMatchObject({ servers: { platform: { protocol: 'wss' } } });
  });

  it('/asyncapi.json has examples that fit their schemas', () => {
    const misfits = Object.values(document.components.messages).flatMap((message) => {
      const validate = compile(message);
      return message.examples.flatMap(({ payload }) =>
        validate(payload) ? [] : [message.name, validate.errors],
      );
    });
    expect(misfits).toEqual([]);
  });

  it('/asyncapi.json describes every frame that a platform sends, with all its fields', () => {
    const schemas = new Map(messagesOf('send').map((message) => [message.name, compile(message)]));
    const misfits = frames.flatMap((frame) => {
      const validate = schemas.get(frame.type);
      return validate?.(frame) === true ? [] : [{ frame, errors: validate?.errors }];
    });
    expect(misfits).toEqual([]);
    const types = new Set(frames.map(({ type }) => type));
    expect([...schemas.keys()].filter((type) => !types.has(type))).toEqual([]);
  });

  it("/asyncapi.json describes the agent's frames in the vendor's spelling too (V-3)", async () => {
    const join = { type: 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', payload: {} };
    const fits = (action: 'send' | 'receive', frame: Frame): boolean =>
      messagesOf(action).some((message) => compile(message)(frame));
    expect(fits('receive', join)).toBe(true);
    const visitor = await visit(platform.url);
    const reader = await visit(platform.url, { isStreaming: true });
    visitor.send(join);
    reader.send(join);
    await reader.next(({ type }) => type.endsWith('AGENT_MESSAGE_CHUNK'), 'a chunk');
    await visitor.next(({ type }) => type.endsWith('AGENT_MESSAGE'), 'a greeting');
    visitor.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Can I talk to a person?' } });
    await visitor.next(({ type }) => type.endsWith('AGENT_LEFT'), 'the end of the agent');
    const sent = [...visitor.received, ...reader.received].filter(
      ({ type }) => vocabularyOfType(type) === 'poly',
    );
    await Promise.all([visitor.close(), reader.close()]);
    expect(sent.filter((frame) => !fits('send', frame))).toEqual([]);
    expect(new Set(sent.map(({ type }) => toNeutralType(type)))).toEqual(
      new Set([
        'EVENT_TYPE_REQUEST_AGENT_JOIN',
        'EVENT_TYPE_AGENT_JOINED',
        'EVENT_TYPE_AGENT_THINKING',
        'EVENT_TYPE_AGENT_MESSAGE',
        'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
        'EVENT_TYPE_AGENT_TRIGGERED_HANDOFF',
        'EVENT_TYPE_AGENT_LEFT',
      ]),
    );
  });

  it('/asyncapi.json has an example of each frame as a platform sends it', () => {
    const differences = messagesOf('send').flatMap(({ name, examples }) => {
      const sent = frames.filter(({ type }) => type === name);
      return examples
        .filter(({ payload }) => !sent.some((frame) => findDifferences(payload, frame).length === 0))
        .map(({ payload }) => [name, sent.map((frame) => findDifferences(payload, frame))]);
    });
    expect(differences).toEqual([]);
  });

  it('/asyncapi.json describes what the platform accepts from clients, and nothing that it refuses', () => {
    const optional = [
      'EVENT_TYPE_CSAT_RESPONSE',
      'EVENT_TYPE_USER_RECEIVED_MESSAGE',
      'EVENT_TYPE_USER_READ_MESSAGE',
    ] as const;
    const decode = (frame: unknown) =>
      decodeClientFrame(JSON.stringify(frame), undefined, undefined, optional);
    for (const { name, payload: described } of messagesOf('receive')) {
      const { properties } = described;
      const payload = asObject(asObject(properties)['payload']);
      const variants = asList(payload['anyOf'] ?? [payload]);
      for (const variant of variants) {
        const whole = fitting(document as never, variant, '').map((value) => ({
          type: name,
          payload: value,
        }));
        fc.assert(fc.property(whole, (frame) => decode(frame).kind === 'accept'));
        if (asList(asObject(variant)['required']).length === 0) continue;
        const damaged = almostFitting(document as never, variant);
        const validate = ajv.compile(payload);
        fc.assert(
          fc.property(damaged, (value) => {
            const isFit = validate(value);
            return (decode({ type: name, payload: value }).kind === 'accept') === isFit;
          }),
        );
      }
    }
  });
});
