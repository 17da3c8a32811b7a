import { randomUUID } from 'node:crypto';
import type { OutgoingEvent } from 'natter/protocol';
import type { EventDraft, SessionEndReason, SessionPort } from '../conversation/index.ts';

/** A survey that is being shown. */
export interface OpenSurvey {
  readonly id: string;
  readonly askedAtMs: number;
  /** Why the session ends once it is over. */
  readonly reason: SessionEndReason;
}

/** A survey with the event that asks. */
export interface PlannedSurvey extends OpenSurvey {
  readonly draft: EventDraft;
}

const TYPE = 'EVENT_TYPE_SHOW_CSAT_REQUEST';
/** How long the user has. Source: TBD-3. */
const ANSWER_TIMEOUT_MS = 60_000;
/** Source: TBD-3. */
const TEXTS = { title: 'Rate your chat', question: 'How would you rate your experience?' } as const;

/** Asks a user for a rating between the conversation's last message and SESSION_END. Source: TBD-3. */
export class SessionSurvey {
  readonly #port: SessionPort;
  #open: OpenSurvey | null = null;
  #cancelTimer: () => void = () => {};

  constructor(port: SessionPort) {
    this.#port = port;
  }

  /** The survey whose answer the session waits for; `null` while there is none. */
  get open(): OpenSurvey | null {
    return this.#open;
  }

  /** The survey to show before the session ends; `null` where it ends at once: the user left, or wrote nothing. */
  plan(reason: SessionEndReason): PlannedSurvey | null {
    const { connector, row, hasUserMessage, context } = this.#port;
    const isFitting = reason !== 'REASON_USER_ABANDONED' && this.#open === null && hasUserMessage;
    if (!isFitting || !connector.hasSurvey || row.conversationId === null) return null;
    const id = `survey_${randomUUID().replaceAll('-', '')}`;
    // Faces are the default, and not named.
    const scale = connector.surveyScale === 'stars' && { scale: 'stars' };
    const payload = { survey_id: id, ...TEXTS, scale_min: 1, scale_max: 5, ...scale };
    return { id, reason, askedAtMs: context.clock.now(), draft: { type: TYPE, payload } };
  }

  /** The question is in the log: the session ends with the answer, or by `end` when the time for it is over. */
  begin(survey: OpenSurvey, end: () => Promise<void>): void {
    const { clock } = this.#port.context;
    this.#open = survey;
    const leftMs = Math.max(0, survey.askedAtMs + ANSWER_TIMEOUT_MS - clock.now());
    this.#cancelTimer = clock.setTimer(() => {
      const expire = async (): Promise<void> => {
        if (this.#open === survey) await end();
      };
      this.#port
        .runExclusive(expire)
        .catch((error: unknown) => this.#port.report('end a session after its survey', error));
    }, leftMs);
  }

  stop(): void {
    this.#cancelTimer();
    this.#open = null;
  }
}

/** The survey that an event of the log has opened; null for any other event. */
export function readSurvey(
  { type, payload, timestampMs }: OutgoingEvent,
  hasUserEnded: boolean,
): OpenSurvey | null {
  return type === TYPE
    ? {
        id: String(payload['survey_id']),
        askedAtMs: timestampMs,
        reason: hasUserEnded ? 'REASON_USER_END' : 'REASON_NATURAL_END',
      }
    : null;
}
