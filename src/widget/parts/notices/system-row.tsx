import type { ComponentChildren, VNode } from 'preact';
import type { SystemNotice } from '../../../client/index.ts';
import { toSafeHref } from '../../links/safe-href.ts';
import { useLink } from '../../links/use-link.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import type { Row } from '../../panel/transcript/select-rows.ts';
import { selectNoticeText } from './select-notice.ts';

/** A row between messages: a day, the start of a later chat, or a notice about the conversation. */
export function SystemRow({ row }: { row: Exclude<Row, { kind: 'group' | 'handoff' }> }): VNode | null {
  const model = usePanel();
  const { strings, locale } = model;
  const toLink = useLink();
  if (row.kind === 'day') return <div class="day">{formatDay(row.atMs, locale.value)}</div>;
  if (row.kind === 'start') return <div class="day chat-start subject">{strings.value.newChatBelow}</div>;
  const { value } = row.item;
  if (value.kind !== 'system') return null;
  const { notice } = value;
  const isPlatformText = notice.code === 'platform_message';
  const isTrouble = isPlatformText && notice.level !== 'info';
  const text = selectNoticeText(notice, model);
  return text ? (
    <div class={isTrouble ? 'system trouble' : 'system'} dir={isPlatformText ? 'auto' : undefined}>
      {withRouteLink(text, notice, toLink)}
    </div>
  ) : null;
}

/** Replaces the route of a hand-off by a link if it is an address or a phone number. */
function withRouteLink(
  text: string,
  notice: SystemNotice,
  toLink: ReturnType<typeof useLink>,
): ComponentChildren {
  const route = (notice.code === 'handoff_required' && notice.route) || '';
  const href = toSafeHref(route.replace(/^(?=\+[-\d\s()./]+$)/, 'tel:'));
  if (!href) return text;
  const [before, after] = text.split(route);
  const shown = route.replace(/^\w+:(?:\/\/)?/, '');
  return [
    before,
    <a key="route" {...toLink(href, shown)}>
      {shown}
    </a>,
    after,
  ];
}

function formatDay(atMs: number, locale: string): string {
  const day = new Date(atMs).toDateString();
  const today = new Date();
  const yesterday = new Date(today);
  yesterday.setDate(today.getDate() - 1);
  const daysAgo = [today, yesterday].findIndex((near) => near.toDateString() === day);
  return daysAgo >= 0
    ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-daysAgo, 'day')
    : new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(atMs);
}
