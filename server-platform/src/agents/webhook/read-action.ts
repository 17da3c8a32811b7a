import * as v from 'valibot';
import type { AgentAction, AgentAttachment, AgentSuggestion } from '../agent.ts';
import type { HandoffTarget } from '../articles/knowledge-agent-config.ts';

/** An action of an answer, or where the answer is wrong: a path, without any value of it. */
export type ReadAction =
  | { readonly kind: 'action'; readonly action: AgentAction }
  | { readonly kind: 'invalid'; readonly path: string };

const textOrNull = v.optional(v.nullable(v.string()), null);
const webAddress = v.pipe(
  v.string(),
  v.check((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? '')),
);
const addressOrNull = v.optional(v.nullable(webAddress), null);
const scalar = v.union([v.string(), v.number(), v.boolean()]);
const fields = v.record(v.string(), v.unknown());

const attachment: v.GenericSchema<unknown, AgentAttachment> = v.object({
  content_type: v.optional(
    v.picklist(['ATTACHMENT_CONTENT_TYPE_URL', 'ATTACHMENT_CONTENT_TYPE_IMAGE']),
    'ATTACHMENT_CONTENT_TYPE_URL',
  ),
  content_url: addressOrNull,
  title: textOrNull,
  preview_image_url: addressOrNull,
  call_to_action_text: textOrNull,
});

const suggestion: v.GenericSchema<unknown, AgentSuggestion> = v.object({
  message_text: v.string(),
  payload: textOrNull,
});

// An external event id is `evt_` and a ULID, and valid for one hour (`rest.md`, EE-3).
const EVENT_ID = /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const MAX_WAIT_MS = 3_600_000;

const actionSchema = v.variant('type', [
  v.object({ type: v.literal('text'), text: v.string() }),
  v.object({ type: v.literal('attachment'), attachment }),
  v.object({ type: v.literal('suggestions'), suggestions: v.array(suggestion) }),
  v.object({
    type: v.literal('call_action'),
    call_action: v.object({ title: v.string(), contact_number: v.string() }),
  }),
  v.object({ type: v.literal('language'), language_code: v.pipe(v.string(), v.check(isLanguageTag)) }),
  v.object({ type: v.literal('state'), set: fields }),
  v.object({ type: v.literal('metric'), name: v.string(), value: scalar }),
  v.object({ type: v.literal('intent'), name: v.string() }),
  v.object({
    type: v.literal('entities'),
    found: v.record(v.string(), v.union([v.string(), v.array(v.string())])),
  }),
  v.object({ type: v.literal('function_error'), name: v.string() }),
  v.object({ type: v.literal('api_error') }),
  v.object({
    type: v.literal('wait_for_event'),
    name: v.string(),
    event_id: v.pipe(v.string(), v.regex(EVENT_ID)),
    timeout_ms: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_WAIT_MS)),
    send_to_llm: v.optional(v.boolean(), false),
  }),
  v.object({
    type: v.literal('handoff'),
    reason: v.optional(v.picklist(['COMPLEX_QUERY', 'AGENT_DECISION', 'POLICY']), 'AGENT_DECISION'),
    why: v.exactOptional(v.string()),
    destination: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
    managed: v.optional(v.picklist(['server', 'client']), 'server'),
    queue_name: v.exactOptional(v.string()),
    desk_hours: v.exactOptional(v.string()),
    data: v.exactOptional(fields),
  }),
  v.object({ type: v.literal('end') }),
]);

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Reads one action of an answer. A hand-off without a destination goes to the one of the settings. */
export function readAction(value: unknown, handoff: HandoffTarget | null): ReadAction {
  const parsed = v.safeParse(actionSchema, value);
  if (!parsed.success) return { kind: 'invalid', path: v.getDotPath(parsed.issues[0]) ?? 'action' };
  const { output } = parsed;
  switch (output.type) {
    case 'call_action':
      return toAction({ type: 'call_action', callAction: output.call_action });
    case 'language':
      return toAction({ type: 'language', languageCode: output.language_code });
    case 'wait_for_event': {
      const { type, name, event_id: eventId, timeout_ms: timeoutMs, send_to_llm: sendToLlm } = output;
      return toAction({ type, name, eventId, timeoutMs, sendToLlm });
    }
    case 'handoff': {
      const { destination, managed, queue_name: queueName, desk_hours: deskHours, ...rest } = output;
      const target = destination === undefined ? handoff : { destination, managed };
      if (target === null) return { kind: 'invalid', path: 'destination' };
      return toAction({
        ...rest,
        ...target,
        ...(queueName !== undefined && { queueName }),
        ...(deskHours !== undefined && { deskHours }),
      });
    }
    default:
      return toAction(output);
  }
}

const toAction = (action: AgentAction): ReadAction => ({ kind: 'action', action });
