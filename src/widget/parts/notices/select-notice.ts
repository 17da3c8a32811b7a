import type { Chat, QueueStatus, SystemNotice } from '../../../client/index.ts';
import type { Strings } from '../../locales/catalogue.ts';
import { fill, formatDelay, roundSpan } from '../../locales/fill.ts';
import type { PanelModel } from '../../panel/model/panel-model.ts';
import { NOTICE_TEXTS } from './notice-texts.ts';

/** Returns the sentence of a notice, with the agent's name where the platform sends none; empty for one that is not shown. */
export function selectNoticeText(
  notice: SystemNotice,
  model: Pick<PanelModel, 'chat' | 'strings' | 'partTexts' | 'locale' | 'nameOf'>,
): string {
  const strings = model.strings.value;
  const locale = model.locale.value;
  const agentName = model.nameOf(null);
  switch (notice.code) {
    case 'agent_joined':
      return fill(strings.personJoined, { name: notice.name ?? agentName });
    case 'agent_left':
      return fill(strings.personLeft, { name: notice.name ?? agentName });
    case 'handoff_started':
      return strings.handoffStarted;
    case 'handoff_accepted':
      return notice.queueName
        ? fill(strings.handoffAcceptedQueue, { queue: notice.queueName })
        : strings.handoffAccepted;
    case 'handoff_required':
      return notice.route
        ? fill(strings.handoffRequired, { route: notice.route })
        : strings.handoffRequiredUnknown;
    case 'handoff_failed':
      // Other reasons are internal to the desk's staff. Its text for the visitor arrives as a message.
      return notice.reason === 'closed' ? strings.handoffTimedOut : strings.handoffFailed;
    case 'handoff_cancelled':
      return fill(strings.handoffCancelled, { name: agentName });
    case 'handoff_timed_out':
      return strings.handoffTimedOut;
    case 'live_agent_joined':
      return notice.name ? fill(strings.personJoined, { name: notice.name }) : strings.someoneJoined;
    case 'live_agent_left':
      if (!notice.name) return strings.someoneLeft;
      return notice.nextName
        ? fill(model.partTexts('notices', NOTICE_TEXTS).passed, { name: notice.name, next: notice.nextName })
        : fill(strings.personLeft, { name: notice.name });
    case 'language_changed':
      if (isBeforeMessages(notice, model.chat.messages.peek())) return '';
      return fill(strings.languageChanged, { language: formatLanguage(notice.language, locale) });
    case 'idle_warning':
      return notice.secondsRemaining === null
        ? strings.idleWarning
        : fill(strings.idleWarningIn, { time: formatDelay(notice.secondsRemaining, locale) });
    case 'platform_message':
      return notice.text;
  }
}

/** Whether a notice precedes all messages: a conversation that begins in a language has not changed to it. */
function isBeforeMessages(notice: SystemNotice, entries: Chat['messages']['value']): boolean {
  const first = entries.find((entry) => {
    const item = entry.peek();
    return item.kind !== 'system' || item.notice === notice;
  });
  return first?.peek().kind === 'system';
}

/** Returns the name of a language in a locale; the tag itself if it is invalid. */
function formatLanguage(tag: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Returns the two texts of the queue line, which have different styles. `wait` is `null` without an estimate. */
export function selectQueueText(
  queue: QueueStatus,
  strings: Strings,
  locale: string,
): { readonly position: string; readonly wait: string | null } {
  const { position, estimatedWaitSeconds: seconds } = queue;
  const wait =
    seconds === null || seconds < 0
      ? null
      : seconds < 60
        ? strings.queueWaitShort
        : fill(strings.queueWait, { time: formatDuration(seconds, locale) });
  if (queue.message) return { position: queue.message, wait };
  if (position === null || position < 1) return { position: strings.queueWaiting, wait };
  if (position === 1) return { position: strings.queueNext, wait };
  return {
    position: fill(strings.queuePosition, { position: new Intl.NumberFormat(locale).format(position) }),
    wait,
  };
}

/** Returns position and wait as one sentence, for screen readers. */
export function formatQueueStatus(queue: QueueStatus, strings: Strings, locale: string): string {
  const { position, wait } = selectQueueText(queue, strings, locale);
  return wait ? `${position}, ${wait}` : position;
}

/** Formats a duration: `40 seconds`, `3 minutes`, `2 hours`. */
export function formatDuration(seconds: number, locale: string): string {
  const { value, unit } =
    seconds < 5_400 ? roundSpan(seconds) : { value: Math.round(seconds / 3_600), unit: 'hour' };
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
