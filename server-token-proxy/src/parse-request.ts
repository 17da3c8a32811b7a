import * as v from 'valibot';
import { isRecord } from './is-record.ts';
import { ProxyFailure } from './proxy-failure.ts';

const PLATFORMS = ['web', 'ios', 'android', 'custom', 'ios-web', 'android-web'] as const;
const DEVICE_TYPES = ['mobile', 'tablet', 'desktop'] as const;

const sessionSchema = v.strictObject({
  connector: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(64)), 'default'),
  platform: v.optional(v.picklist(PLATFORMS), 'web'),
  device_type: v.optional(v.picklist(DEVICE_TYPES)),
  streaming: v.optional(v.boolean(), true),
});

const resumeSchema = v.strictObject({ resume_ticket: v.pipe(v.string(), v.minLength(1)) });

/** What a page may say about the session it wants. Source: messaging.md 3.4. */
export interface SessionRequest {
  readonly connector: string;
  readonly platform: (typeof PLATFORMS)[number];
  readonly deviceType: (typeof DEVICE_TYPES)[number] | null;
  readonly streaming: boolean;
}

const FIELD_RULES: Readonly<Record<string, string>> = {
  connector: 'a name of 1 to 64 characters',
  platform: `one of ${PLATFORMS.join(', ')}`,
  device_type: `one of ${DEVICE_TYPES.join(', ')}`,
  streaming: 'true or false',
  resume_ticket: 'the non-empty string that the session answer carried',
};

function refuse(message: string): ProxyFailure {
  return new ProxyFailure('INVALID_REQUEST', message);
}

/** The field's name, cut and stripped: it comes from outside and goes into a message. */
function quote(field: string): string {
  return JSON.stringify(field.length > 64 ? `${field.slice(0, 64)}…` : field);
}

function parseObject<const TSchema extends v.GenericSchema>(
  schema: TSchema,
  knownFields: readonly string[],
  body: unknown,
): v.InferOutput<TSchema> {
  if (!isRecord(body))
    throw refuse('The body must be a JSON object. Send {} to start a session with the defaults.');
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  const field = v.getDotPath(result.issues[0]);
  const name = field ?? '';
  if (!knownFields.includes(name)) {
    throw refuse(`Unknown field ${quote(name)}. Known fields: ${knownFields.join(', ')}.`);
  }
  if (!Object.hasOwn(body, name))
    throw refuse(`The field ${quote(name)} is missing: it must be ${FIELD_RULES[name]}.`);
  throw refuse(`The field ${quote(name)} must be ${FIELD_RULES[name]}.`);
}

/** Parses the bytes of a request as JSON. Throws `INVALID_REQUEST`. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the body, which may hold a ticket.
    throw refuse('The body is not valid JSON in UTF-8. Send an object, for instance {}.');
  }
}

/** Reads the body of `POST /v1/session`. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseSessionRequest(body: unknown): SessionRequest {
  const fields = parseObject(sessionSchema, Object.keys(sessionSchema.entries), body);
  return {
    connector: fields.connector,
    platform: fields.platform,
    deviceType: fields.device_type ?? null,
    streaming: fields.streaming,
  };
}

/** Reads the body of `POST /v1/resume`: the ticket. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseResumeRequest(body: unknown): string {
  return parseObject(resumeSchema, Object.keys(resumeSchema.entries), body).resume_ticket;
}
