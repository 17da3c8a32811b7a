import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { usePanel } from '../model/panel-model.ts';
import { startAnnouncements } from './start-announcements.ts';

/**
 * Longer than screen readers take to announce a change. Then the text is removed, so that it is not found when the page
 * is read.
 */
const KEPT_MS = 7_000;

interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** The panel's ARIA live region. There is only one, so that announcements keep their order. */
export function LiveRegion(): VNode {
  const model = usePanel();
  const announcements = useSignal<readonly Announcement[]>([]);
  useLayoutEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    let lastId = 0;
    const say = (text: string | undefined) => {
      if (!text) return;
      lastId += 1;
      announcements.value = [...announcements.peek(), { id: lastId, text }];
      const timer = setTimeout(() => {
        timers.delete(timer);
        announcements.value = announcements.peek().slice(1);
      }, KEPT_MS);
      timers.add(timer);
    };
    const stop = startAnnouncements(model, say);
    return () => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [model, announcements]);
  return (
    <div class="sr" aria-live="polite">
      {announcements.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
