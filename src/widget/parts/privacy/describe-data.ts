import type { VisitorData } from '../../../client/index.ts';
import { fill } from '../../locales/fill.ts';
import type { splitFiles } from '../tools/index.ts';
import type { PrivacyTexts } from './privacy-texts.ts';

/** Counts the messages. Chunks of a streamed answer are events with the same message id. */
function countMessages({ events }: Readonly<Record<string, unknown>>): number {
  if (!Array.isArray(events)) return 0;
  const ids = events.map((event) => Object(Object(event).payload).message_id);
  return new Set(ids.filter((id) => typeof id === 'string' && id !== '')).size;
}

/** Number of files in the visitor's own messages; 0 without the code that finds them. */
function countFiles({ events }: Readonly<Record<string, unknown>>, split?: typeof splitFiles): number {
  if (!split || !Array.isArray(events)) return 0;
  const texts = events
    .filter((event) => Object(event).type === 'EVENT_TYPE_USER_MESSAGE')
    .map((event) => String(Object(Object(event).payload).text));
  return texts.reduce((count, text) => count + split(text).files.length, 0);
}

/** Names of attributes that the widget itself writes. */
const OWN_NAMES = new Set(['client_event_id', 'local_id', 'natter_extensions']);

/** Texts for the attributes that the widget adds. */
const ATTRIBUTES: ReadonlyMap<
  string,
  keyof Pick<PrivacyTexts, 'page' | 'timeZone' | 'browser' | 'language' | 'earlierEnd'>
> = new Map([
  ['page', 'page'],
  ['time_zone', 'timeZone'],
  ['browser', 'browser'],
  ['language', 'language'],
  ['earlier_conversation', 'earlierEnd'],
] as const);

function nameAttribute(name: string, texts: PrivacyTexts): string {
  const text = ATTRIBUTES.get(name);
  return text === undefined ? name : texts[text];
}

/** The names of the attributes that the page sent with messages, and of those that its backend signed. */
function listAttributes({
  events,
  verified_context: verified,
}: Readonly<Record<string, unknown>>): readonly string[] {
  const maps = Array.isArray(events) ? events.map((event) => Object(Object(event).metadata).custom) : [];
  const names = [verified, ...maps].flatMap((map) => Object.keys(Object(map)));
  return [...new Set(names)].filter((name) => !OWN_NAMES.has(name));
}

/** Describes the data in this browser, one line per kind. */
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

/**
 * Describes the platform's data, one line per kind. `split` comes from the part `tools`, which is loaded wherever a
 * message has files: a file shared by the two parts would stay missing after a failed load.
 */
export function describePlatform(
  { platform }: VisitorData,
  texts: PrivacyTexts,
  locale: string,
  split?: typeof splitFiles,
): readonly string[] {
  if (platform.status !== 'read') return platform.status === 'none' ? [] : [texts[platform.status]];
  const { data } = platform;
  const since = new Date(String(data['created_at']));
  const { conversations: days } = Object(data['retention_days']);
  const format = (count: number): string => new Intl.NumberFormat(locale).format(count);
  const files = countFiles(data, split);
  const left = Array.isArray(data['contact_requests']) ? data['contact_requests'].length : 0;
  const attributes = listAttributes(data);
  return [
    fill(texts.messages, { count: format(countMessages(data)) }),
    files > 0 && fill(texts.files, { count: format(files) }),
    left > 0 && fill(texts.left, { count: format(left) }),
    !Number.isNaN(since.getTime()) &&
      fill(texts.since, {
        time: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(since),
      }),
    attributes.length > 0 &&
      `${texts.shared}: ${attributes.map((name) => nameAttribute(name, texts)).join(', ')}`,
    typeof days === 'number' &&
      fill(texts.kept, {
        time: new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days),
      }),
  ].filter((line) => typeof line === 'string');
}
