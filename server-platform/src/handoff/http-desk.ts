import { randomUUID } from 'node:crypto';
import { type WebhookHeaderStyle, writeWebhookHeaders } from '@natter/sdk';
import type { Clock } from '../clock.ts';
import { isOutboundError, type OutboundAnswer, type OutboundClient, sendWithRetries } from '../http/index.ts';
import {
  type HandoffLink,
  HandoffRefusedError,
  type HandoffRequest,
  type HandoffResumption,
  type HandoffSession,
  type ServerHandoffProvider,
} from '../messaging/index.ts';
import type { HttpDeskConfig } from './handoff-provider-config.ts';
import { OpenHandoffs } from './open-handoffs.ts';

/** What an HTTP desk works with. */
export interface HttpDeskOptions {
  readonly config: HttpDeskConfig;
  readonly open: OpenHandoffs;
  readonly clock: Clock;
  readonly headerStyle: WebhookHeaderStyle;
  readonly client: OutboundClient;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** What the desk needs to find a hand-off again. */
interface Reference {
  readonly handoffId: string;
  readonly projectId: string;
}

// A visitor waits for the result: two more attempts, then the truth.
const RETRY_AFTER_MS = [500, 2_000] as const;

/**
 * Any other live-agent system, over HTTP. What happens here goes there as signed webhooks, in the format of alert
 * deliveries; what happens there comes back through `POST …/handoffs/{handoff_id}/events`.
 *
 * | Webhook `type`      | When                                    | Fields besides `handoff_id`                      |
 * |---------------------|-----------------------------------------|--------------------------------------------------|
 * | `handoff.requested` | the agent hands off                     | `conversation_id`, `project_id`, `destination`, `reason`, `queue_name`, `data`, `history` |
 * | `message.created`   | the visitor has written                 | `message_id`, `text`                             |
 * | `typing.changed`    | the visitor begins or stops typing      | `state`: `started`, `stopped`                    |
 * | `handoff.closed`    | the session is over, or it took too long, or the visitor withdrew the request | `reason`: `user_ended`, `expired`, `timed_out`, `cancelled_by_user` |
 *
 * A 4xx answer to `handoff.requested` refuses the hand-off for good.
 */
export class HttpDesk implements ServerHandoffProvider {
  readonly managed = 'server';
  readonly #options: HttpDeskOptions;

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
      await deliver(this.#options, {
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
        deliver(this.#options, {
          type: 'message.created',
          handoff_id: handoffId,
          message_id: messageId,
          text,
        }),
      sendTyping: (state) => {
        const typing = state === 'TYPING_STATE_STARTED' ? 'started' : 'stopped';
        this.#inform('tell a desk who types', {
          type: 'typing.changed',
          handoff_id: handoffId,
          state: typing,
        });
      },
      close: (reason) => {
        open.remove(handoffId);
        // After a restart the hand-off goes on.
        if (reason === 'shutdown') return;
        this.#inform('tell a desk that a hand-off is over', {
          type: 'handoff.closed',
          handoff_id: handoffId,
          reason,
        });
      },
    };
  }

  /** Delivers an event without waiting; a failure is reported. */
  #inform(what: string, event: DeskEvent): void {
    deliver(this.#options, event).catch((error: unknown) => this.#options.onFailure(what, error));
  }
}

interface DeskEvent {
  readonly type: string;
  readonly handoff_id: string;
  readonly [field: string]: unknown;
}

/** Delivers one event, each attempt with a signature of its own. Rejects when the other side did not take it. */
async function deliver(options: HttpDeskOptions, event: DeskEvent): Promise<void> {
  const { config, client, clock, headerStyle: style } = options;
  const { secret, timeoutMs } = config;
  const body = JSON.stringify(event);
  const eventId = randomUUID();
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
