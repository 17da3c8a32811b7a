import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { useLink } from '../links/use-link.ts';
import { fill, formatDelay } from '../locales/fill.ts';
import { useDelayedValue } from '../signals/use-delayed-value.ts';
import { usePanel } from './model/panel-model.ts';
import { type BannerAction, selectBanner } from './select-banner.ts';

/** One line about the connection: its state, the next try, and the actions of the visitor. */
export function ConnectionBanner(): VNode | null {
  const { chat, isMenuMissing, isOver, strings, locale } = usePanel();
  const nowMs = useNow(useComputed(() => chat.connection.value.status === 'reconnecting'));
  // Messages are searched only while offline, because a long history would slow down every chunk.
  const hasQueued = useComputed(() => {
    const { value: connection } = chat.connection;
    return (
      'offline' in connection &&
      connection.offline &&
      chat.messages.value.some(({ value }) => value.kind === 'user' && value.delivery.status === 'queued')
    );
  });
  const shown = useDelayedValue(() => {
    // An ended conversation has its own line and needs no connection.
    const isNone = isOver.value && !isMenuMissing.value;
    return isNone
      ? null
      : selectBanner(chat.connection.value, hasQueued.value, nowMs.value, isMenuMissing.value);
  });
  const { value: banner } = shown;
  if (!banner) return null;
  const time = banner.secondsLeft === null ? '' : formatDelay(banner.secondsLeft, locale.value);
  return (
    <div class={`banner ${banner.tone}`} part="banner">
      <span>{fill(strings.value[banner.text], { time })}</span>
      <span class="actions">
        {banner.actions.map((action) => (
          <BannerButton key={action} action={action} />
        ))}
      </span>
    </div>
  );
}

/** A button or link of the banner. Without a contact address, `contact` renders nothing. */
export function BannerButton({ action }: { action: BannerAction }): VNode | null {
  const { chat, contactHref, strings } = usePanel();
  const toLink = useLink();
  if (action === 'contact') {
    const href = contactHref.value;
    if (!href) return null;
    return (
      <a class="text-button" {...toLink(href, strings.value.contactUs)}>
        {strings.value.contactUs}
      </a>
    );
  }
  const isNew = action === 'new_chat';
  return (
    <button
      type="button"
      class="text-button"
      onClick={() => (isNew ? void chat.newChat() : chat.reconnect())}
    >
      {isNew ? strings.value.newChat : strings.value.tryNow}
    </button>
  );
}

/** The time; while `isRunning` is true, updated once a second. */
function useNow(isRunning: ReadonlySignal<boolean>): ReadonlySignal<number> {
  const now = useSignal(Date.now());
  useSignalEffect(() => {
    if (!isRunning.value) return;
    const tick = () => {
      now.value = Date.now();
    };
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  });
  return now;
}
