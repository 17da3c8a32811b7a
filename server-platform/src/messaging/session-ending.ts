import type { AppendEffects, SessionPatch } from '../db/index.ts';
import type { ExternalWaits } from './external-waits.ts';
import type { HandoffFlow } from './handoff-flow.ts';
import type { SessionHold } from './session-hold.ts';
import { recordEnd, type SessionEndReason } from './session-record.ts';
import type { SessionServices } from './session-services.ts';
import type { SessionSurvey } from './session-survey.ts';
import type { ClientEventDraft } from './session-writer.ts';
import type { TurnQueue } from './turn-queue.ts';

/** The session as its ending sees it. */
export interface EndingHost {
  readonly services: SessionServices;
  readonly hold: SessionHold;
  readonly turns: TurnQueue;
  readonly handoff: HandoffFlow;
  readonly waits: ExternalWaits;
  readonly survey: SessionSurvey;
  /** SESSION_END is in the log. */
  onEnded(): void;
}

/** How a session ends. Source: messaging.md 8.6 to 8.9. */
export class SessionEnding {
  readonly #host: EndingHost;
  /** SESSION_END is about to be written: nothing may come after it. */
  isBegun = false;

  constructor(host: EndingHost) {
    this.#host = host;
  }

  /** Ends the conversation: at once, or after the user has been asked how it was (TBD-3). */
  async end(
    reason: SessionEndReason,
    drafts: readonly ClientEventDraft[],
    effects: AppendEffects = {},
  ): Promise<void> {
    const { hold, turns, handoff, waits, survey } = this.#host;
    const writer = await hold.writer();
    const planned = survey.plan(reason);
    if (planned === null) {
      await this.finish(reason, drafts, effects);
      return;
    }
    turns.abort('the conversation ended');
    const session = { ...effects.session, state: 'active', handoff: null } satisfies SessionPatch;
    const also = waits.ending ?? effects.also;
    await writer.append([...drafts, planned.draft], { ...effects, session, also });
    hold.apply(session);
    handoff.close('user_ended');
    waits.clear();
    survey.begin(planned);
  }

  /** Writes SESSION_END, after what comes before it in the same commit. Nothing follows (8.9). */
  async finish(
    reason: SessionEndReason,
    drafts: readonly ClientEventDraft[],
    effects: AppendEffects = {},
  ): Promise<void> {
    const { services, hold, turns, handoff, waits, survey } = this.#host;
    const writer = await hold.writer();
    this.isBegun = true;
    writer.seal();
    turns.abort('the session ended');
    const state = reason === 'REASON_USER_ABANDONED' ? 'expired' : 'ended';
    const session = { ...effects.session, state, endedAtMs: services.clock.now() } satisfies SessionPatch;
    const record = recordEnd(hold.facts, reason, session.endedAtMs, effects.record);
    const end = { type: 'EVENT_TYPE_SESSION_END' as const, payload: { reason } };
    const also = waits.ending ?? effects.also;
    await writer.append([...drafts, end], { ...effects, session, record, also }, { isSealing: true });
    hold.apply(session);
    handoff.close(state === 'expired' ? 'expired' : 'user_ended');
    waits.clear();
    survey.stop();
    hold.release();
    this.#host.onEnded();
    services.observer.sessionEnded(reason);
  }
}
