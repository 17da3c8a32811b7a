import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { Chat, TranscriptItem } from '../../../client/index.ts';
import type { WidgetOptions } from '../../options.ts';

type Entries = readonly ReadonlySignal<TranscriptItem>[];

/** The chat as the panel shows it: without the agent's greeting if the site defines one. */
export function hideGreeting(chat: Chat, options: ReadonlySignal<WidgetOptions>): Chat {
  const messages = computed(() => withoutGreeting(chat.messages.value, Boolean(options.value.welcome)));
  return { ...chat, messages };
}

/** A greeting is text that the agent sends before the visitor has written. */
function withoutGreeting(entries: Entries, isGreeted: boolean): Entries {
  const first = isGreeted ? entries.find((entry) => entry.peek().kind !== 'system') : undefined;
  const item = first?.value;
  const isGreeting =
    item?.kind === 'agent' &&
    item.speaker.kind === 'agent' &&
    item.attachments.length + item.callActions.length === 0;
  return isGreeting ? entries.filter((entry) => entry !== first) : entries;
}
