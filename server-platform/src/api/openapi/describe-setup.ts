import type { Schema } from '@natter/sdk';
import { SETUP_ERRORS, type SetupErrorName, toSetupErrorBody } from 'natter/protocol';
import * as v from 'valibot';
import { liftDescription } from './describe-operation.ts';
import type { OpenApiOperation, OpenApiPathItem, OpenApiResponse } from './openapi-document.ts';
import type { JsonSchema, SchemaWriter } from './schema-writer.ts';

const text = (description: string): Schema<string> => v.pipe(v.string(), v.description(description));

const object = <const Entries extends v.ObjectEntries>(
  name: string,
  description: string,
  entries: Entries,
): Schema<unknown> => v.pipe(v.object(entries), v.metadata({ name, description }));

const EXAMPLE_ID = '0f8c1c86-3a53-4bb0-9c1b-6c7f0a5f2b11';
const EXAMPLE_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJmNGI2In0.dGhlIHNpZ25hdHVyZQ';

/** One of the calls that open a conversation over the socket. Source: messaging.md, section 3. */
interface SetupCall {
  readonly id: string;
  readonly summary: string;
  readonly security: Readonly<Record<string, readonly string[]>>;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'header' | 'path';
    readonly schema: Schema<unknown>;
    readonly example: unknown;
  }[];
  readonly body: {
    readonly isRequired: boolean;
    readonly schema: Schema<unknown>;
    readonly example: unknown;
  };
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema?: Schema<unknown>;
    readonly example?: unknown;
  };
  readonly refusals: readonly SetupErrorName[];
}

const CALLS: Readonly<Record<string, SetupCall>> = {
  '/api/v1/access-token': {
    id: 'accessTokenCreate',
    summary: 'Get an access token for one visitor.',
    security: { 'X-TOKEN': [] },
    parameters: [
      {
        name: 'X-Host',
        in: 'header',
        schema: text('Registered domain or app of the connector.'),
        example: 'shop.example.com',
      },
    ],
    body: {
      isRequired: false,
      schema: object('AccessTokenBody', 'Nothing is read from it.', {}),
      example: {},
    },
    success: {
      status: 200,
      description: 'The token.',
      schema: object('AccessToken', 'A token of a new visitor.', {
        access_token: text('JWT; send it as `Authorization: Bearer`, and in the handshake of the socket.'),
        expires_in: v.pipe(v.number(), v.integer(), v.description('Lifetime in seconds.')),
        token_type: v.pipe(v.literal('Bearer'), v.description('Always `Bearer`.')),
      }),
      example: { access_token: EXAMPLE_TOKEN, expires_in: 86_400, token_type: 'Bearer' },
    },
    refusals: [
      'invalidBody',
      'missingAuthHeaders',
      'connectorNotFound',
      'connectorHostMissing',
      'connectorHostMismatch',
      'payloadTooLarge',
      'unknownEncoding',
      'rateLimited',
      'tokenCreationFailed',
    ],
  },
  '/api/v1/sessions': {
    id: 'sessionCreate',
    summary: 'Create a session. Its conversation continues over the socket.',
    security: { accessToken: [] },
    parameters: [],
    body: {
      isRequired: false,
      schema: object('SessionCreateBody', 'The client that connects. Other fields are ignored.', {
        platform: v.optional(
          text('`web`, `ios`, `android`, `custom`, `ios-web` or `android-web`; others count as `custom`.'),
          'web',
        ),
        streaming_enabled: v.optional(
          v.pipe(v.boolean(), v.description('Whether answers arrive in chunks.')),
          false,
        ),
        device_type: v.optional(text('`mobile`, `tablet` or `desktop`; others are ignored.')),
        variant_id: v.optional(text("A variant of the connector's project; others are ignored.")),
      }),
      example: { platform: 'web', streaming_enabled: true, device_type: 'desktop' },
    },
    success: {
      status: 200,
      description: 'The session.',
      schema: object('CreatedSession', 'A session.', { session_id: text('UUID, opaque to readers.') }),
      example: { session_id: EXAMPLE_ID },
    },
    refusals: [
      'missingAccessToken',
      'invalidBody',
      'missingAuthHeaders',
      'invalidAccessToken',
      'payloadTooLarge',
      'unknownEncoding',
      'rateLimited',
      'sessionCreationFailed',
    ],
  },
  '/api/v1/sessions/{session_id}/context': {
    id: 'sessionContextSubmit',
    summary: 'Submit a token with what the page knows of its user, signed by its server.',
    security: { accessToken: [] },
    parameters: [
      {
        name: 'session_id',
        in: 'path',
        schema: text('The session.'),
        example: EXAMPLE_ID,
      },
    ],
    body: {
      isRequired: true,
      schema: object('SessionContextBody', 'A verified context.', { token: text('JWT, HS256.') }),
      example: { token: EXAMPLE_TOKEN },
    },
    success: { status: 204, description: 'The context is stored and replaces an earlier one.' },
    refusals: [
      'missingAccessToken',
      'invalidBody',
      'missingAuthHeaders',
      'invalidAccessToken',
      'invalidContextToken',
      'sessionNotFound',
      'contextNotEnabled',
      'payloadTooLarge',
      'unknownEncoding',
      'contextTokenTooLarge',
      'rateLimited',
      'internalError',
    ],
  },
};

const ERROR_BODY = object('SetupError', 'Body of every refusal of these calls.', {
  success: v.literal(false),
  message: text('What went wrong.'),
  error: text('The same text.'),
  error_message: text('The same text.'),
  error_code: text('The code a program can decide on.'),
  error_id: text('The correlation id of the request.'),
  data: v.pipe(v.null(), v.description('Always null.')),
});

/** Describes the HTTP calls before the socket, by path. */
export function describeSetup(writer: SchemaWriter): Readonly<Record<string, OpenApiPathItem>> {
  return Object.fromEntries(
    Object.entries(CALLS).map(([path, call]) => [
      path,
      { servers: [{ url: '/' }], post: describeCall(call, writer) },
    ]),
  );
}

function describeCall(call: SetupCall, writer: SchemaWriter): OpenApiOperation {
  const { body, success } = call;
  const json = (schema: JsonSchema, example: unknown) => ({ 'application/json': { schema, example } });
  return {
    operationId: call.id,
    summary: call.summary,
    tags: ['setup'],
    security: [call.security],
    parameters: call.parameters.map(({ name, in: place, schema, example }) => ({
      ...{ name, in: place, required: true },
      ...liftDescription(writer.write(schema)),
      example,
    })),
    requestBody: { required: body.isRequired, content: json(writer.write(body.schema), body.example) },
    responses: {
      [String(success.status)]: {
        description: success.description,
        ...(success.schema !== undefined && {
          content: json(writer.write(success.schema), success.example),
        }),
      },
      ...describeRefusals(call.refusals, writer.write(ERROR_BODY)),
    },
  };
}

function describeRefusals(
  names: readonly SetupErrorName[],
  body: JsonSchema,
): Readonly<Record<string, OpenApiResponse>> {
  const statuses = [...new Set(names.map((name) => SETUP_ERRORS[name].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const errors = names.map((name) => SETUP_ERRORS[name]).filter((error) => error.status === status);
      const examples = errors.map((error) => [error.code, { value: toSetupErrorBody(error, EXAMPLE_ID) }]);
      const codes = { properties: { error_code: { enum: errors.map(({ code }) => code) } } };
      const schema = { allOf: [body, codes] };
      return [
        String(status),
        {
          description: errors.map(({ code, text: message }) => `- \`${code}\`: ${message}`).join('\n'),
          content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
        },
      ];
    }),
  );
}
