import type { ConversationsQuery } from '@natter/sdk';
import type { ConversationSettings } from '../../accounts/index.ts';
import { HANDOFF_CAUSES, type HandoffReason } from '../../agents/index.ts';
import { validationError } from '../../api/rest/index.ts';
import type { StoredConversation } from './stored-conversation.ts';

type Shown = Pick<ConversationSettings, 'showTranscripts' | 'responseMetrics'>;

/**
 * Hides a conversation's content as its project requires. With transcripts off all texts are removed: no state, and
 * only the metrics that are numbers, ratings of answers, or texts that the project lists. Counts and times stay. The
 * record's writer omits the turns. Source: CV-13.
 */
export function withholdTexts(stored: StoredConversation, settings: Shown): StoredConversation {
  if (settings.showTranscripts) return stored;
  const summaries = stored.summaries.map((turn) =>
    turn.metrics === '{}'
      ? turn
      : { ...turn, metrics: JSON.stringify(metricsWithoutText(turn.metrics, settings)) },
  );
  const reason = stored.handoffReason === '' ? '' : withoutOwnText(JSON.parse(stored.handoffReason));
  const handoffReason = reason === '' ? '' : JSON.stringify(reason);
  return { ...stored, summaries: summaries, state: '{}', handoffReason };
}

const REASONS: ReadonlySet<string> = new Set([
  ...HANDOFF_CAUSES,
  ...(['COMPLEX_QUERY', 'AGENT_DECISION', 'POLICY'] satisfies HandoffReason[]),
]);

/** Removes an agent's own wording of a handoff reason, which may repeat a visitor's words. */
function withoutOwnText(reason: string): string {
  return REASONS.has(reason) ? reason : '';
}

/** Refuses a full-text search if transcripts are off, because a hit would confirm a term. Source: CV-13. */
export function refuseTranscriptSearch(
  { query_type: type }: Pick<ConversationsQuery, 'query_type'>,
  { showTranscripts }: Shown,
): void {
  if (showTranscripts || type === undefined) return;
  const message = `${type} is not available: the project shows no transcripts`;
  throw validationError([{ field: 'query_type', message }]);
}

function metricsWithoutText(metrics: string, { responseMetrics }: Shown): Readonly<Record<string, unknown>> {
  const stored: Readonly<Record<string, unknown>> = JSON.parse(metrics);
  return Object.fromEntries(
    Object.entries(stored).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'CSAT_COMMENT') return [];
      if (name === 'FEEDBACK') return [[name, withoutReason(String(value))]];
      const hasNoText = [value].flat().every((one) => typeof one !== 'string');
      const isShown = hasNoText || name === 'CSAT_SCORE' || responseMetrics?.includes(name) === true;
      return isShown ? [[name, value]] : [];
    }),
  );
}

/** Removes the visitor's comment from the rating of an answer. */
function withoutReason(feedback: string): string {
  const { turn, rating } = JSON.parse(feedback);
  return JSON.stringify({ turn, rating, reason: null });
}
