import { randomUUID } from 'node:crypto';
import type { OutgoingEvent } from 'natter/protocol';
import type { EventDraft, SessionEndReason, SessionPort } from '../conversation/index.ts';

/** A survey that is being shown. */
export interface OpenSurvey {
  readonly id: string;
  readonly askedAtMs: number;
  /** The session's end reason, used after the survey. */
  readonly reason: SessionEndReason;
}

/** A survey together with its event. */
export interface PlannedSurvey extends OpenSurvey {
  readonly draft: EventDraft;
}

const TYPE = 'EVENT_TYPE_SHOW_CSAT_REQUEST';
/** Time limit for the user's answer. Source: TBD-3. */
const ANSWER_TIMEOUT_MS = 60_000;
/** Source: TBD-3. */
const TEXTS = { title: 'Rate your chat', question: 'How would you rate your experience?' } as const;

/** Asks the user for a rating between the conversation's last message and SESSION_END. Source: TBD-3. */
export class SessionSurvey {
  readonly #port: SessionPort;
  #open: OpenSurvey | null = null;
  #cancelTimer: () => void = () => {};

  constructor(port: SessionPort) {
    this.#port = port;
  }

  /** The open survey; `null` if none. */
  get open(): OpenSurvey | null {
    return this.#open;
  }

  /** Plans the survey before the session's end; `null` if the session ends at once: the user left, or wrote nothing. */
  plan(reason: SessionEndReason): PlannedSurvey | null {
    const { connector, row, hasUserMessage, context } = this.#port;
    const isFitting = reason !== 'REASON_USER_ABANDONED' && this.#open === null && hasUserMessage;
    if (!isFitting || !connector.hasSurvey || row.conversationId === null) return null;
    const id = `survey_${randomUUID().replaceAll('-', '')}`;
    // Faces are the default and therefore omitted.
    const scale = connector.surveyScale === 'stars' && { scale: 'stars' };
    const payload = { survey_id: id, ...TEXTS, scale_min: 1, scale_max: 5, ...scale };
    return { id, reason, askedAtMs: context.clock.now(), draft: { type: TYPE, payload } };
  }

  /** Opens the stored survey: the session ends with the answer, or by `end` after the time limit. */
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

/** Returns the survey that a logged event opened; null for any other event. */
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
