import { usePanel } from './panel-model.ts';
import { useSignal, type View, view } from './view/index.ts';

/**
 * The clock time of a message, in the visitor's zone and way of writing it. It is a button: pressed, it says the date,
 * the second and the zone as well, until it is pressed again.
 */
export const TimeOf: View<{ atMs: number }> = view(({ atMs }) => {
  const { locale } = usePanel();
  const isExact = useSignal(false);
  const { clock, exact } = formatsOf(locale.value);
  return (
    <button
      type="button"
      class="time"
      title={exact.format(atMs)}
      aria-expanded={isExact.value}
      onClick={({ currentTarget }) => {
        isExact.value = !isExact.value;
        // Longer than it was, it may have gone out of view.
        queueMicrotask(() => (currentTarget as HTMLElement).scrollIntoView({ block: 'nearest' }));
      }}
    >
      <time dateTime={new Date(atMs).toISOString()}>{(isExact.value ? exact : clock).format(atMs)}</time>
    </button>
  );
});

interface Formats {
  readonly clock: Intl.DateTimeFormat;
  readonly exact: Intl.DateTimeFormat;
}

/** Made once for a locale: a formatter costs more than all the times of a long conversation. */
const formats = new Map<string, Formats>();

function formatsOf(locale: string): Formats {
  const known = formats.get(locale);
  if (known) return known;
  const made: Formats = {
    clock: new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }),
    exact: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }),
  };
  formats.set(locale, made);
  return made;
}
