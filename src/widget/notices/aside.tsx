import { usePanel } from '../panel-model.ts';
import type { Row } from '../select-rows.ts';
import { type View, view } from '../view/index.ts';
import { selectNoticeText } from './select-notice.ts';

/** What stands between the messages: the day that those below belong to, or a fact about the conversation. */
export const Aside: View<{ row: Exclude<Row, { kind: 'group' }> }> = view(({ row }) => {
  const { strings, locale, nameOf } = usePanel();
  if (row.kind === 'day') return <div class="day">{nameDay(row.atMs, locale.value)}</div>;
  const { value } = row.item;
  if (value.kind !== 'system') return null;
  const { notice } = value;
  const isOwnWords = notice.code === 'platform_message';
  const isTrouble = isOwnWords && notice.level !== 'info';
  return (
    <div class={isTrouble ? 'system trouble' : 'system'} dir={isOwnWords ? 'auto' : undefined}>
      {selectNoticeText(notice, strings.value, locale.value, nameOf(null))}
    </div>
  );
});

function nameDay(atMs: number, locale: string): string {
  const day = new Date(atMs).toDateString();
  const today = new Date();
  const yesterday = new Date(today);
  yesterday.setDate(today.getDate() - 1);
  const daysAgo = [today, yesterday].findIndex((near) => near.toDateString() === day);
  return daysAgo >= 0
    ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-daysAgo, 'day')
    : new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(atMs);
}
