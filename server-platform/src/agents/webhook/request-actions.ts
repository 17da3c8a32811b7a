import { readRetryAfter, type WebhookHeaderStyle, writeWebhookHeaders } from '@natter/sdk';
import { findExcess } from '../../kit/http/index.ts';
import type { OutboundAnswer } from '../../kit/http/outbound/index.ts';
import type { AgentAction } from '../agent.ts';
import { type EndpointFailure, EndpointFailures } from '../endpoint/endpoint-failure.ts';
import { readServerEvents } from '../endpoint/read-server-events.ts';
import type { EndpointPorts } from '../endpoint/request-with-retries.ts';
import { readAction } from './read-action.ts';
import type { WebhookAgentConfig } from './webhook-agent-config.ts';

/** A piece of an answer. */
export interface ReceivedAction {
  readonly kind: 'action';
  readonly action: AgentAction;
}

/** One turn in the wire format. */
export interface TurnRequest {
  readonly body: string;
  readonly eventId: string;
  readonly headerStyle: WebhookHeaderStyle;
}

const failures = new EndpointFailures('webhook of the agent');

// Sixteen of the longest messages that a visitor can write.
const MAX_ANSWER_BYTES = 2_097_152;

/**
 * Posts a turn once and yields the actions of its answer as they come. Ends with the answer, or with one
 * `EndpointFailure` as its last value. Throws only the reason of an aborted `signal`.
 */
export async function* requestActions(
  config: WebhookAgentConfig,
  { body, eventId, headerStyle: style }: TurnRequest,
  { client, clock }: EndpointPorts,
  signal: AbortSignal,
): AsyncIterable<ReceivedAction | EndpointFailure> {
  const { url, secret, timeouts, handoff } = config;
  let hasStarted = false;
  try {
    const nowMs = clock.now();
    const headers = await writeWebhookHeaders({ secret, body, eventId, nowMs, style });
    const answer = await client.send({
      url,
      method: 'POST',
      headers: { ...headers, accept: 'application/x-ndjson, text/event-stream, application/json' },
      body,
      limits: {
        firstByteTimeoutMs: timeouts.firstByteMs,
        idleTimeoutMs: timeouts.idleMs,
        maxBytes: MAX_ANSWER_BYTES,
      },
      signal,
    });
    if (!answer.isOk) {
      answer.discard();
      return yield failures.ofStatus(
        answer.status,
        null,
        readRetryAfter(answer.header('retry-after'), clock.now()),
      );
    }
    for await (const text of readTexts(answer)) {
      for (const value of text === null ? [MALFORMED] : readValues(text)) {
        const read = value === MALFORMED ? ({ kind: 'malformed' } as const) : readAction(value, handoff);
        if (read.kind === 'malformed')
          return yield failures.ofFormat('answered with something other than actions in JSON', hasStarted);
        if (read.kind === 'invalid')
          return yield failures.ofFormat(`sent an invalid action: check its "${read.path}"`, hasStarted);
        hasStarted = true;
        yield read;
      }
    }
  } catch (error) {
    yield failures.ofExchange(error, timeouts, hasStarted);
  }
}

const MALFORMED = Symbol('malformed');

/** The JSON texts of an answer as they come: its lines, its events, or all of it; null for any other content type. */
async function* readTexts(answer: OutboundAnswer): AsyncIterable<string | null> {
  const type = (answer.header('content-type') ?? '').toLowerCase().split(';')[0]?.trim();
  switch (type) {
    case 'text/event-stream':
      return yield* readServerEvents(answer);
    case 'application/x-ndjson':
    case 'application/jsonl':
      return yield* readLines(answer);
    case 'application/json':
      return yield new TextDecoder().decode(await answer.bytes());
    default:
      // Without a body there is no type: the agent says nothing.
      if ((await answer.bytes()).length > 0) yield null;
  }
}

async function* readLines(answer: OutboundAnswer): AsyncIterable<string> {
  const decoder = new TextDecoder();
  const unfinished: string[] = [];
  for await (const piece of answer.pieces()) {
    const lines = decoder.decode(piece, { stream: true }).split('\n');
    for (const line of lines.slice(0, -1)) {
      const whole = [...unfinished.splice(0), line].join('');
      if (whole.trim() !== '') yield whole;
    }
    unfinished.push(lines.at(-1) ?? '');
  }
  // The last line may come without its end.
  const rest = unfinished.join('') + decoder.decode();
  if (rest.trim() !== '') yield rest;
}

/** Returns the actions of a JSON text: a single one, or the list of `{"actions": […]}`. */
function readValues(text: string): readonly unknown[] {
  if (findExcess(text) !== null) return [MALFORMED];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [MALFORMED];
  }
  if (typeof value !== 'object' || value === null || !('actions' in value)) return [value];
  return Array.isArray(value.actions) ? value.actions : [MALFORMED];
}
