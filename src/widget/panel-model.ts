import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { ChatClient } from '../client/index.ts';
import type { Terms } from './load-terms.ts';
import type { WidgetOptions } from './options.ts';
import type { Part } from './part.ts';
import type { Strings } from './strings/catalogue.ts';
import { useMounted, useProvided } from './view/index.ts';

/** How the panel sits in the window: beside the launcher, over a small screen, or as the whole page. */
export type PanelLayout = 'panel' | 'sheet' | 'fullscreen';

type Extras = typeof import('./extras/index.ts');

/** What every part of one panel shares. One per widget: nothing of it is global. */
export interface PanelModel {
  readonly chat: ChatClient;
  readonly options: ReadonlySignal<WidgetOptions>;
  readonly strings: ReadonlySignal<Strings>;
  /** For times, numbers and plurals. */
  readonly locale: ReadonlySignal<string>;
  /** Reading direction of the texts. */
  readonly direction: ReadonlySignal<'ltr' | 'rtl'>;
  readonly layout: ReadonlySignal<PanelLayout>;
  readonly isOpen: ReadonlySignal<boolean>;
  /** What lies over the conversation. */
  readonly overlay: Signal<'none' | 'menu' | 'confirm_end'>;
  /** Counts the visitor's sends, so that the transcript knows when to go to the question. */
  readonly sendCount: Signal<number>;
  readonly agentName: ReadonlySignal<string>;
  /** The conversation has ended or expired; another one can be started. */
  readonly isOver: ReadonlySignal<boolean>;
  /** Where to go when the chat cannot help; null when there is no such address, or it is not a safe one. */
  readonly contactHref: ReadonlySignal<string | null>;
  /** The menu, and pictures and link cards. */
  readonly extras: Part<Extras>;
  /** True where a keyboard would slide in over the page as soon as a field has the focus. */
  readonly isTouch: boolean;
  /** What the site has to say and to ask before a conversation; undefined for nothing. */
  readonly terms: Terms | undefined;
  send(text: string): void;
  close(): void;
  focusComposer(): void;
}

/** The model of the panel that the calling view belongs to. */
export function usePanel(): PanelModel {
  // `createPanel` gives it to `render`, and there is no other.
  return useProvided() as PanelModel;
}

/** The late part, once it is there, for a view that needs it: asks for it as soon as the view is on the page. */
export function useExtras(): Extras | null {
  const { extras } = usePanel();
  useMounted(() => void extras.need());
  return extras.code.value;
}
