import { randomUUID } from 'node:crypto';
import type { ClientEvent, OutgoingEvent } from 'natter/protocol';
import { type AppendEffects, recordSurveyScore } from '../db/index.ts';
import type { EventDraft } from './answer-writer.ts';
import type { Clock } from './clock.ts';
import type { SessionEndReason } from './session-record.ts';
import type { ClientEventDraft } from './session-writer.ts';

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

/** The session as its survey sees it. */
export interface SurveyHost {
  readonly clock: Clock;
  /** The connector's setting. */
  isOn(): boolean;
  hasUserMessage(): boolean;
  conversationId(): string | null;
  inOrder(work: () => Promise<void>): Promise<void>;
  finish(
    reason: SessionEndReason,
    drafts: readonly ClientEventDraft[],
    effects?: AppendEffects,
  ): Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

const TYPE = 'EVENT_TYPE_SHOW_CSAT_REQUEST';
/** How long the user has. Source: TBD-3. */
const PATIENCE_MS = 60_000;
/** Source: TBD-3. */
const TEXTS = { title: 'Rate your chat', question: 'How would you rate your experience?' } as const;

/** Asks a user how the conversation was, between its last message and SESSION_END. Source: TBD-3. */
export class SessionSurvey {
  readonly #host: SurveyHost;
  #open: OpenSurvey | null = null;
  #cancelTimer: () => void = () => {};

  constructor(host: SurveyHost) {
    this.#host = host;
  }

  /** The survey that the session waits for; null while it does not. */
  get open(): OpenSurvey | null {
    return this.#open;
  }

  /** What to ask before the session ends; null where it ends at once: nobody is there, or nothing was said. */
  plan(reason: SessionEndReason): PlannedSurvey | null {
    const isFitting =
      reason !== 'REASON_USER_ABANDONED' && this.#open === null && this.#host.hasUserMessage();
    if (!isFitting || !this.#host.isOn() || this.#host.conversationId() === null) return null;
    const id = `survey_${randomUUID().replaceAll('-', '')}`;
    const payload = { survey_id: id, ...TEXTS, scale_min: 1, scale_max: 5 };
    return { id, reason, askedAtMs: this.#host.clock.now(), draft: { type: TYPE, payload } };
  }

  /** The question is in the log: the session ends with the answer, or when the time for it is up. */
  begin(survey: OpenSurvey): void {
    const { clock, inOrder, finish, onFailure } = this.#host;
    this.#open = survey;
    const leftMs = Math.max(0, survey.askedAtMs + PATIENCE_MS - clock.now());
    this.#cancelTimer = clock.setTimer(() => {
      const end = async (): Promise<void> => {
        if (this.#open === survey) await finish(survey.reason, []);
      };
      inOrder(end).catch(onFailure);
    }, leftMs);
  }

  /** While it waits, the session takes the answer and the user's own end; anything else comes too late. */
  async take(event: ClientEvent): Promise<void> {
    const survey = this.#open;
    if (survey === null) return;
    const echo = { type: event.type, payload: event.payload, custom: event.custom };
    if (event.type === 'EVENT_TYPE_USER_END_SESSION') {
      await this.#host.finish(survey.reason, [{ ...echo, type: event.type }]);
    } else if (event.type === 'EVENT_TYPE_CSAT_RESPONSE' && event.payload.survey_id === survey.id) {
      const { score } = event.payload;
      const conversationId = this.#host.conversationId();
      await this.#host.finish(survey.reason, [{ ...echo, type: event.type }], {
        also: async (sql) => {
          if (conversationId !== null) await recordSurveyScore(sql, conversationId, score);
        },
      });
    }
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
