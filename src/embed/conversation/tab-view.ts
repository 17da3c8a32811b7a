import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Chat } from '../../client/index.ts';
import type { TabMemory, TabState } from './tab-memory.ts';

export interface TabViewOptions {
  readonly memory: TabMemory;
  /** The state in which an earlier page of this tab left the chat. */
  readonly before: TabState;
  readonly chat: Pick<Chat, 'session' | 'unread'>;
  readonly isOpen: ReadonlySignal<boolean>;
  /** The site asks for consent, and the visitor has not given it. */
  readonly isGated: () => boolean;
}

/** The chat's state in this tab: as an earlier page left it, until it has changed on this page. */
export class TabView {
  readonly #before: TabState;
  /** This page has opened or closed the panel, so that the state from the earlier page no longer counts. */
  readonly #isSettled: Signal<boolean>;
  /** The conversation has counted its unread messages, so that the earlier page's number no longer counts. */
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
      // Nothing is stored before consent. A panel that an earlier page left open implies consent, until the session is
      // known.
      const isAgreed = !isGated() || (before.isOpen && !isKnown);
      // An open panel starts a conversation. After the end of one, the next page must not start another.
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

  /** Clears the state: the next page of the tab begins with a closed panel. */
  clear(): void {
    this.#memory.write({ isOpen: false, unread: 0 });
  }
}
