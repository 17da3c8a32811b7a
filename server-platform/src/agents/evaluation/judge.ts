import type { AgentAction } from '../agent.ts';
import { detectLanguage } from '../articles/intents/detect-language.ts';
import type { EvalConversation } from './load-conversations.ts';

/** Returns the faults of a conversation's last answer; empty if it passes. */
export function judge(wanted: EvalConversation, actions: readonly AgentAction[]): readonly string[] {
  const text = textOf(actions);
  const folded = text.toLowerCase();
  const holds = (part: string): boolean => folded.includes(part.toLowerCase());
  const intent = actions.find((action) => action.type === 'intent')?.name ?? '';
  const isHandoff = actions.some(({ type }) => type === 'handoff');
  const offersPerson =
    isHandoff ||
    /person|colleague|mensch|humain|personne|persona|mens\b|człowiek|osob|pessoa|担当|人工|נציג|موظف/i.test(
      text,
    );
  const hasCard = actions.some(({ type }) => type === 'attachment');
  const hasChips = actions.some(({ type }) => type === 'suggestions');
  return [
    text.trim() === '' ? 'says nothing' : '',
    ...wanted.has.map((part) => (holds(part) ? '' : `lacks "${part}"`)),
    wanted.any.length === 0 || wanted.any.some(holds) ? '' : `lacks all of "${wanted.any.join('", "')}"`,
    ...wanted.not.map((part) => (holds(part) ? `holds "${part}"` : '')),
    wanted.intent.length === 0 || wanted.intent.includes(intent) ? '' : `is ${intent}`,
    wanted.handoff === undefined || wanted.handoff === isHandoff ? '' : `hands over: ${isHandoff}`,
    wanted.person === undefined || wanted.person === offersPerson ? '' : `offers a person: ${offersPerson}`,
    wanted.card === undefined || wanted.card === hasCard ? '' : `has a card: ${hasCard}`,
    wanted.chips === undefined || wanted.chips === hasChips ? '' : `has something to tap: ${hasChips}`,
  ].filter((problem) => problem !== '');
}

/**
 * The problems of a model's last answer. Besides what `judge` finds: the articles answered in its place, its language is not
 * the visitor's, or it hides that it has no answer. A model names its own intents and suggests nothing, so both are left out.
 */
export function judgeModel(wanted: EvalConversation, actions: readonly AgentAction[]): readonly string[] {
  const metrics = new Map(
    actions.flatMap((action) => (action.type === 'metric' ? [[action.name, action.value] as const] : [])),
  );
  const standIn = metrics.get('llm_stand_in');
  const mustRefuse = wanted.intent.includes('out_of_domain');
  // The language of a few words is often not certain: null.
  const expected = detectLanguage(wanted.say.at(-1) ?? '', wanted.language);
  const actual = detectLanguage(textOf(actions), expected);
  return [
    ...judge({ ...wanted, intent: [], chips: undefined }, actions),
    mustRefuse && metrics.get('out_of_domain') !== true ? 'does not say that it does not know' : '',
    expected === null || actual === null || actual === expected ? '' : `answers in ${actual} to ${expected}`,
    standIn === undefined ? '' : `left it to the articles: ${standIn}`,
  ].filter((problem) => problem !== '');
}

/** The text of an answer with the titles of its cards, which visitors read too. */
export function textOf(actions: readonly AgentAction[]): string {
  return actions
    .map((action) => {
      if (action.type === 'text') return action.text;
      return action.type === 'call_action' ? `\n${action.callAction.contact_number}` : '';
    })
    .join('');
}
