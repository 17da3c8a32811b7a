import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Chat } from '../../client/index.ts';
import type { TabMemory, TabState } from './tab-memory.ts';

export interface TabViewOptions {
  readonly memory: TabMemory;
  /** The state in which an earlier page of this tab was left. */
  readonly before: TabState;
  readonly chat: Pick<Chat, 'session' | 'unread'>;
  readonly isOpen: ReadonlySignal<boolean>;
  /** The site asks for consent, and the visitor has not given it. */
  readonly isGated: () => boolean;
}

/** How the tab shows the chat, from page to page: the state that an earlier page left, until this page has its own. */
export class TabView {
  readonly #before: TabState;
  /** The panel is as the visitor or the page wants it here, and no longer as an earlier page left it. */
  readonly #isSettled: Signal<boolean>;
  /** The number of unread messages is that of the conversation. */
  readonly #isCounted: Signal<boolean>;
  readonly #memory: TabMemory;
  /** Stops following the chat. */
  readonly stop: () => void;

  constructor({ memory, before, chat, isOpen, isGated }: TabViewOptions) {
    this.#before = before;
    this.#memory = memory;
    this.#isSettled = signal(!before.isOpen);
    this.#isCounted = signal(before.unread === 0);
    this.stop = effect(() => {
      const { status } = chat.session.value;
      if (isOpen.value) this.settle();
      const isKnown = !['unknown', 'restored'].includes(status);
      if (isKnown) this.noteCounted();
      // Before consent nothing is kept. Until the conversation of the page before is there, its visitor has agreed to it.
      const isAgreed = !isGated() || (before.isOpen && !isKnown);
      // An open panel begins a conversation: the next page begins none after an end.
      const isLasting = status !== 'ended' && status !== 'expired' && isAgreed;
      memory.write({
        isOpen: this.#isSettled.value ? isOpen.value && isLasting : before.isOpen,
        unread: this.#isCounted.value ? chat.unread.value : before.unread,
      });
    });
  }

  /** An earlier page left the panel open, and this page has not shown it yet. */
  get isLeftOpen(): boolean {
    return this.#before.isOpen && !this.#isSettled.peek();
  }

  settle(): void {
    this.#isSettled.value = true;
  }

  noteCounted(): void {
    this.#isCounted.value = true;
  }

  /** Forgets the state: the next page of the tab begins with a closed panel. */
  clear(): void {
    this.#memory.write({ isOpen: false, unread: 0 });
  }
}
