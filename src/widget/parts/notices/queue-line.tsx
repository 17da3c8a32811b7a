import type { VNode } from 'preact';
import { usePanel } from '../../panel/model/panel-model.ts';
import { selectQueueText } from './select-notice.ts';

/** The visitor's position in the queue, updated in place. */
export function QueueLine(): VNode | null {
  const { chat, strings, locale } = usePanel();
  const queue = chat.queue.value;
  if (!queue) return null;
  const { position, wait } = selectQueueText(queue, strings.value, locale.value);
  return (
    <div class="queue">
      <span class="queue-pulse" />
      <span>
        <span class="queue-position" dir={queue.message ? 'auto' : undefined}>
          {position}
        </span>
        {wait && <span class="queue-wait">{wait}</span>}
      </span>
    </div>
  );
}
