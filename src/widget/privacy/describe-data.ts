import type { VisitorData } from '../../client/index.ts';
import { fill } from '../strings/fill.ts';
import type { PrivacyTexts } from './privacy-texts.ts';

/** The parts of an answer of a streaming agent are events of one message. */
function countMessages({ events }: Readonly<Record<string, unknown>>): number {
  if (!Array.isArray(events)) return 0;
  const ids = events.map((event) => Object(Object(event).payload).message_id);
  return new Set(ids.filter((id) => typeof id === 'string' && id !== '')).size;
}

/** What this browser has stored, a line for each thing. */
export function describeBrowser(
  { browser }: VisitorData,
  texts: PrivacyTexts,
  locale: string,
  { hasSound, hasSiteMessages }: { readonly hasSound: boolean; readonly hasSiteMessages: boolean },
): readonly string[] {
  return [
    browser?.hasTicket && texts.ticket,
    browser && browser.undelivered.length > 0 && texts.undelivered,
    browser?.hasTranscript && texts.transcript,
    browser &&
      browser.past.length > 0 &&
      fill(texts.past, { count: new Intl.NumberFormat(locale).format(browser.past.length) }),
    browser?.hasUser && texts.user,
    hasSound && texts.sound,
    hasSiteMessages && texts.siteMessages,
  ].filter((line) => typeof line === 'string');
}

/** What the platform has stored, a line for each thing. */
export function describePlatform(
  { platform }: VisitorData,
  texts: PrivacyTexts,
  locale: string,
): readonly string[] {
  if (platform.status !== 'read') return platform.status === 'none' ? [] : [texts[platform.status]];
  const { data } = platform;
  const since = new Date(String(data['created_at']));
  const { conversations: days } = Object(data['retention_days']);
  return [
    fill(texts.messages, { count: new Intl.NumberFormat(locale).format(countMessages(data)) }),
    !Number.isNaN(since.getTime()) &&
      fill(texts.since, {
        time: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(since),
      }),
    data['verified_context'] && texts.verified,
    typeof days === 'number' &&
      fill(texts.kept, {
        time: new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days),
      }),
  ].filter((line) => typeof line === 'string');
}
