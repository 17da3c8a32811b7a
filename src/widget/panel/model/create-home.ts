import { computed, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Chat } from '../../../client/index.ts';
import { hasFeature } from '../../has-feature.ts';
import type { WidgetOptions } from '../../options.ts';
import type { LazyParts, PanelModel } from './panel-model.ts';

interface HomeOptions {
  readonly chat: Pick<Chat, 'messages' | 'unread' | 'unsent'>;
  readonly options: ReadonlySignal<WidgetOptions>;
  readonly parts: Pick<LazyParts, 'home'>;
  readonly focusComposer: () => void;
}

/**
 * Creates the state of the home screen. `enter` is called when the panel opens, and skips the screen if a conversation
 * has begun.
 */
export function createHome({
  chat,
  options,
  parts,
  focusComposer,
}: HomeOptions): Pick<PanelModel, 'isAtHome' | 'goHome' | 'leaveHome'> & { readonly enter: () => void } {
  const isWanted = signal(false);
  const goHome = (): void => {
    parts.home.load();
    isWanted.value = true;
  };
  return {
    // If its code cannot be loaded, the conversation is shown instead.
    isAtHome: computed(
      () => isWanted.value && hasFeature(options.value, 'home') && !parts.home.hasFailed.value,
    ),
    goHome,
    leaveHome() {
      isWanted.value = false;
      // After the composer has been rendered.
      queueMicrotask(focusComposer);
    },
    enter() {
      const hasBegun =
        chat.unread.peek() > 0 ||
        chat.unsent.peek() ||
        chat.messages.peek().some((entry) => entry.peek().kind === 'user');
      isWanted.value = false;
      if (!hasBegun && hasFeature(options.peek(), 'home')) goHome();
    },
  };
}
