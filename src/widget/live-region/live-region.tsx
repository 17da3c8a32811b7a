import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { usePanel } from '../model/panel-model.ts';
import { type Announcement, appendAnnouncement } from './append-announcement.ts';
import { startAnnouncements } from './start-announcements.ts';

/** The panel's ARIA live region. There is only one, so that announcements keep their order. */
export function LiveRegion(): VNode {
  const model = usePanel();
  const announcements = useSignal<readonly Announcement[]>([]);
  useLayoutEffect(
    () =>
      startAnnouncements(model, (text) => {
        if (text) announcements.value = appendAnnouncement(announcements.peek(), text);
      }),
    [model, announcements],
  );
  return (
    <div class="sr" aria-live="polite">
      {announcements.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
