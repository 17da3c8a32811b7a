import { usePanel } from './panel-model.ts';
import { type View, view } from './view/index.ts';

/** The clock time of a message, in the visitor's zone and way of writing it; the full date as its title. */
export const TimeOf: View<{ atMs: number }> = view(({ atMs }) => {
  const { locale } = usePanel();
  const at = new Date(atMs);
  const clock = new Intl.DateTimeFormat(locale.value, { hour: 'numeric', minute: '2-digit' }).format(at);
  const full = new Intl.DateTimeFormat(locale.value, { dateStyle: 'full', timeStyle: 'short' }).format(at);
  return (
    <time class="time" dateTime={at.toISOString()} title={full}>
      {clock}
    </time>
  );
});

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
