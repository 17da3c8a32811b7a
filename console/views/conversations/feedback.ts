import type { ConversationDetail } from '@natter/sdk';

/** A visitor's rating of the answer of a turn. */
export interface Feedback {
  readonly rating: 'up' | 'down';
  /** Empty: no reason was given. */
  readonly reason: string;
}

/**
 * The feedback of a conversation by the number of its turn, from 1, out of the metric `FEEDBACK`: one JSON text, or a list of
 * them. Texts of another form, such as an agent may write under the same name, are left out. Source: EXT-3, CV-12.
 */
export function readFeedback(metrics: ConversationDetail['metrics']): ReadonlyMap<number, Feedback> {
  const texts = [metrics?.['FEEDBACK'] ?? []].flat();
  return new Map(texts.flatMap(readOne));
}

function readOne(text: string): readonly (readonly [number, Feedback])[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const { turn, rating, reason } = value as Readonly<Record<string, unknown>>;
  if (typeof turn !== 'number' || (rating !== 'up' && rating !== 'down')) return [];
  return [[turn, { rating, reason: typeof reason === 'string' ? reason : '' }]];
}
