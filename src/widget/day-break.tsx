import { usePanel } from './panel-model.ts';
import { type View, view } from './view/index.ts';

/** The day that the messages below it belong to. */
export const DayBreak: View<{ atMs: number }> = view(({ atMs }) => {
  const { locale } = usePanel();
  const day = new Date(atMs).toDateString();
  const today = new Date();
  const yesterday = new Date(today);
  yesterday.setDate(today.getDate() - 1);
  const daysAgo = [today, yesterday].findIndex((near) => near.toDateString() === day);
  const words =
    daysAgo >= 0
      ? new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' }).format(-daysAgo, 'day')
      : new Intl.DateTimeFormat(locale.value, { weekday: 'long', day: 'numeric', month: 'long' }).format(
          atMs,
        );
  return <div class="day">{words}</div>;
});
