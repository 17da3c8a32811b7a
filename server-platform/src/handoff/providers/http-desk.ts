import { randomUUID } from 'node:crypto';
import { type WebhookHeaderStyle, writeWebhookHeaders } from '@natter/sdk';
import type { Clock } from '../../kit/clock.ts';
import { createFairShares, type RunInShare } from '../../kit/http/index.ts';
import {
  isOutboundError,
  type OutboundAnswer,
  type OutboundClient,
  sendWithRetries,
} from '../../kit/http/outbound/index.ts';
import {
  type HandoffLink,
  HandoffRefusedError,
  type HandoffRequest,
  type HandoffResumption,
  type HandoffSession,
  type ServerHandoffProvider,
} from '../session/index.ts';
import type { HttpDeskConfig } from './handoff-provider-config.ts';
import { OpenHandoffs } from './open-handoffs.ts';

/** Dependencies of an HTTP desk. */
export interface HttpDeskOptions {
  readonly config: HttpDeskConfig;
  readonly open: OpenHandoffs;
  readonly clock: Clock;
  readonly headerStyle: WebhookHeaderStyle;
  readonly client: OutboundClient;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** Data with which the desk finds a hand-off again. */
interface Reference {
  readonly handoffId: string;
  readonly projectId: string;
}

// A visitor waits for the result: two more attempts, then the truth.
const RETRY_AFTER_MS = [500, 2_000] as const;

// Of one project, whose desk may hang. As many conversations as a desk of a hundred people has.
const SHARE = { atOnce: 100, maxWaiting: 1_000 } as const;
// Typing and read events are relevant only for a moment, so they are dropped if they cannot be sent at once.
const TYPING_SHARE = { atOnce: 10, maxWaiting: 0 } as const;
const createRefusal = (): Error => new Error('The desk did not accept an earlier event.');

/**
 * Connects another live-agent system over HTTP. It receives events of a hand-off as signed webhooks, in the format of
 * alert deliveries, and sends its own events through `POST …/handoffs/{handoff_id}/events`.
 *
 * | Webhook `type`      | When                                    | Fields besides `handoff_id`                      |
 * |---------------------|-----------------------------------------|--------------------------------------------------|
 * | `handoff.requested` | the agent hands off                     | `conversation_id`, `project_id`, `destination`, `reason`, `queue_name`, `data`, `history` |
 * | `message.created`   | the visitor has written                 | `message_id`, `text`                             |
 * | `typing.changed`    | the visitor begins or stops typing      | `state`: `started`, `stopped`                    |
 * | `message.read`      | the visitor has read a person's message | `message_id`; only where the connector has `receipts` |
 * | `handoff.closed`    | the session is over, or it took too long, or the visitor withdrew the request | `reason`: `user_ended`, `expired`, `timed_out`, `cancelled_by_user` |
 *
 * A 4xx answer to `handoff.requested` refuses the hand-off permanently.
 */
export class HttpDesk implements ServerHandoffProvider {
  readonly managed = 'server';
  readonly #options: HttpDeskOptions;
  readonly #inShare = createFairShares({ ...SHARE, createRefusal });
  readonly #typingInShare = createFairShares({ ...TYPING_SHARE, createRefusal });

  constructor(options: HttpDeskOptions) {
    this.#options = options;
  }

  serves(): boolean {
    return true;
  }

  async open(request: HandoffRequest, session: HandoffSession): Promise<HandoffLink> {
    const { sessionId, projectId } = request;
    const handoffId = OpenHandoffs.newId(sessionId);
    // The other side may answer before its answer to this request is here.
    const opened = this.#link({ handoffId, projectId }, session);
    try {
      await this.#deliver(projectId, {
        type: 'handoff.requested',
        handoff_id: handoffId,
        conversation_id: request.conversationId,
        project_id: projectId,
        destination: request.destination,
        reason: request.reason,
        queue_name: request.queueName,
        data: request.data,
        history: request.history,
      });
    } catch (error) {
      this.#options.open.remove(handoffId);
      throw error;
    }
    return opened;
  }

  async resume({ reference }: HandoffResumption, session: HandoffSession): Promise<HandoffLink | null> {
    return isReference(reference) ? this.#link(reference, session) : null;
  }

  /** Registers an open hand-off, and returns the way from the session to the other side. */
  #link(reference: Reference, session: HandoffSession): HandoffLink {
    const { open } = this.#options;
    const { handoffId, projectId } = reference;
    open.add(handoffId, { projectId, session });
    return {
      reference,
      sendMessage: ({ messageId, text }) =>
        this.#deliver(projectId, {
          type: 'message.created',
          handoff_id: handoffId,
          message_id: messageId,
          text,
        }),
      sendTyping: (state) => {
        const typing = state === 'TYPING_STATE_STARTED' ? 'started' : 'stopped';
        const event = { type: 'typing.changed', handoff_id: handoffId, state: typing };
        this.#inform('notify a desk of typing', this.#typingInShare, projectId, event);
      },
      sendRead: (messageId) => {
        const event = { type: 'message.read', handoff_id: handoffId, message_id: messageId };
        this.#inform('notify a desk of read messages', this.#typingInShare, projectId, event);
      },
      close: (reason) => {
        open.remove(handoffId);
        // After a restart the hand-off continues.
        if (reason === 'shutdown') return;
        const event = { type: 'handoff.closed', handoff_id: handoffId, reason };
        this.#inform('notify a desk of the end of a hand-off', this.#inShare, projectId, event);
      },
    };
  }

  #deliver(projectId: string, event: DeskEvent): Promise<void> {
    return this.#inShare(projectId, () => deliver(this.#options, event));
  }

  /** Delivers an event without waiting; a failure is reported. */
  #inform(what: string, inShare: RunInShare, projectId: string, event: DeskEvent): void {
    inShare(projectId, () => deliver(this.#options, event)).catch((error: unknown) =>
      this.#options.onFailure(what, error),
    );
  }
}

interface DeskEvent {
  readonly type: string;
  readonly handoff_id: string;
  readonly [field: string]: unknown;
}

/** Delivers one event, each attempt with a new signature. Rejects when the other side does not accept it. */
async function deliver(options: HttpDeskOptions, event: DeskEvent): Promise<void> {
  const { config, client, clock, headerStyle: style } = options;
  const { secret, timeoutMs } = config;
  const eventId = randomUUID();
  // In the body too, because headers are not signed.
  const body = JSON.stringify({ ...event, event_id: eventId });
  const post = async (): Promise<OutboundAnswer> => {
    const headers = await writeWebhookHeaders({ secret, body, eventId, nowMs: clock.now(), style });
    const limits = { totalTimeoutMs: timeoutMs, maxBytes: 0 };
    const answer = await client.send({ url: config.url, method: 'POST', headers, body, limits });
    answer.discard();
    return answer;
  };
  const answer = await sendWithRetries(post, { clock, delaysMs: RETRY_AFTER_MS }).catch((cause: unknown) => {
    throw isOutboundError(cause) ? new Error('The desk could not be reached.', { cause }) : cause;
  });
  if (answer.isOk) return;
  if (answer.mayPass) throw new Error(`The desk answered ${answer.status}.`);
  throw new HandoffRefusedError('The desk refused the request.');
}

function isReference(value: unknown): value is Reference {
  return (
    typeof value === 'object' &&
    value !== null &&
    'handoffId' in value &&
    typeof value.handoffId === 'string' &&
    'projectId' in value &&
    typeof value.projectId === 'string'
  );
}
