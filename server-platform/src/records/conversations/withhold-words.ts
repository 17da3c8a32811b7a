import type { ConversationsQuery } from '@natter/sdk';
import type { ConversationSettings } from '../../accounts/index.ts';
import { HANDOFF_CAUSES, type HandoffReason } from '../../agents/index.ts';
import { validationError } from '../../api/rest/index.ts';
import type { StoredConversation } from './stored-conversation.ts';

type Shown = Pick<ConversationSettings, 'showTranscripts' | 'responseMetrics'>;

/**
 * The conversation as its project shows it. With transcripts off all texts are removed: no state, and of the
 * metrics the numbers, the rating of answers and those texts that the project names. Counts and times stay. The turns are
 * left out by the writer of the record. Source: CV-13.
 */
export function withholdWords(stored: StoredConversation, settings: Shown): StoredConversation {
  if (settings.showTranscripts) return stored;
  const facts = stored.facts.map((turn) =>
    turn.metrics === '{}'
      ? turn
      : { ...turn, metrics: JSON.stringify(metricsWithoutWords(turn.metrics, settings)) },
  );
  const reason = stored.handoffReason === '' ? '' : withoutOwnWords(JSON.parse(stored.handoffReason));
  const handoffReason = reason === '' ? '' : JSON.stringify(reason);
  return { ...stored, facts, state: '{}', handoffReason };
}

const REASONS: ReadonlySet<string> = new Set([
  ...HANDOFF_CAUSES,
  ...(['COMPLEX_QUERY', 'AGENT_DECISION', 'POLICY'] satisfies HandoffReason[]),
]);

/** Why a conversation was handed over, without what an agent wrote itself, which may repeat a visitor's words. */
function withoutOwnWords(reason: string): string {
  return REASONS.has(reason) ? reason : '';
}

/** Refuses a search by words where transcripts are off: a hit would confirm a term. Source: CV-13. */
export function refuseWordSearch(
  { query_type: type }: Pick<ConversationsQuery, 'query_type'>,
  { showTranscripts }: Shown,
): void {
  if (showTranscripts || type === undefined) return;
  const message = `${type} is not available: the project shows no transcripts`;
  throw validationError([{ field: 'query_type', message }]);
}

function metricsWithoutWords(metrics: string, { responseMetrics }: Shown): Readonly<Record<string, unknown>> {
  const stored: Readonly<Record<string, unknown>> = JSON.parse(metrics);
  return Object.fromEntries(
    Object.entries(stored).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'CSAT_COMMENT') return [];
      if (name === 'FEEDBACK') return [[name, withoutReason(String(value))]];
      const isWithoutWords = [value].flat().every((one) => typeof one !== 'string');
      const isShown = isWithoutWords || name === 'CSAT_SCORE' || responseMetrics?.includes(name) === true;
      return isShown ? [[name, value]] : [];
    }),
  );
}

/** The rating of an answer without what the visitor wrote to it. */
function withoutReason(feedback: string): string {
  const { turn, rating } = JSON.parse(feedback);
  return JSON.stringify({ turn, rating, reason: null });
}
