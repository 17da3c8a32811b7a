import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { type Context, createContext } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import type { Chat, Speaker } from '../client/index.ts';
import type { LazyPart } from './lazy-part.ts';
import type { Terms } from './load-terms.ts';
import type { WidgetOptions } from './options.ts';
import type { Strings } from './strings/catalogue.ts';

/** How the panel sits in the window: beside the launcher, over a small screen, or as the whole page. */
export type PanelLayout = 'panel' | 'sheet' | 'fullscreen';

/** What most conversations never need, each fetched when something first does. */
export interface LazyParts {
  /** What the button in the header opens, and the question that ending a chat asks. */
  readonly menu: LazyPart<typeof import('./menu/index.ts')>;
  /** Pictures, link cards and numbers to call. */
  readonly cards: LazyPart<typeof import('./cards/index.ts')>;
  /** Lines between the messages, and the place in a queue. */
  readonly notices: LazyPart<typeof import('./notices/index.ts')>;
  /** What stands in the composer's place at the end. */
  readonly ended: LazyPart<typeof import('./ended/index.ts')>;
  readonly survey: LazyPart<typeof import('./survey/index.ts')>;
  /** The conversation as a file, on paper or in the clipboard. */
  readonly save: LazyPart<typeof import('./save/index.ts')>;
  /** Tone and title, for a visitor who is elsewhere. */
  readonly notifications: LazyPart<typeof import('./notifications/index.ts')>;
  /** Going back by keys and by scrolling, exact times, and paper. */
  readonly history: LazyPart<typeof import('./history/index.ts')>;
}

/** What every part of one panel shares. One per widget: nothing of it is global. */
export interface PanelModel {
  readonly chat: Chat;
  readonly options: ReadonlySignal<WidgetOptions>;
  readonly strings: ReadonlySignal<Strings>;
  /** Language of the texts. */
  readonly language: ReadonlySignal<string>;
  /** For times, numbers and plurals. */
  readonly locale: ReadonlySignal<string>;
  /** How times are written, made once for a locale: a formatter costs more than all the times of a long conversation. */
  readonly times: ReadonlySignal<Readonly<Record<'clock' | 'exact', Intl.DateTimeFormat>>>;
  /** Reading direction of the texts. */
  readonly direction: ReadonlySignal<'ltr' | 'rtl'>;
  readonly layout: ReadonlySignal<PanelLayout>;
  readonly isOpen: ReadonlySignal<boolean>;
  /** What lies over the conversation. */
  readonly overlay: Signal<'none' | 'menu' | 'confirm_end'>;
  /** The menu was asked for and could not be fetched. */
  readonly isMenuMissing: ReadonlySignal<boolean>;
  /** Counts the visitor's sends, so that the transcript knows when to go to the question. */
  readonly sendCount: Signal<number>;
  /** The name of a speaker; of the site's automated agent for nobody, and for an agent whose platform gives it none. */
  nameOf(speaker: Speaker | null): string;
  /** The conversation has ended or expired; another one can be started. */
  readonly isOver: ReadonlySignal<boolean>;
  /** Where to go when the chat cannot help; null when there is no such address, or it is not a safe one. */
  readonly contactHref: ReadonlySignal<string | null>;
  readonly parts: LazyParts;
  /** What the site has to say and to ask before a conversation; null for nothing. */
  readonly terms: ReadonlySignal<Terms | null>;
  send(text: string): void;
  open(): void;
  /** `returnFocus` moves the focus to the launcher. */
  close(returnFocus: boolean): void;
  focusComposer(): void;
}

/** Holds the model for all components of one panel. */
export const PanelContext: Context<PanelModel | null> = createContext<PanelModel | null>(null);

/** Returns the model of the panel that the calling component belongs to. Throws outside a panel. */
export function usePanel(): PanelModel {
  const model = useContext(PanelContext);
  if (!model) throw new Error('usePanel() needs a PanelContext.Provider around the component.');
  return model;
}

/** Loads a part when the calling component is on the page. Returns its code; `null` until it has loaded. */
export function useLazyPart<Code>({ load, code }: LazyPart<Code>): Code | null {
  useLayoutEffect(() => void load(), [load]);
  return code.value;
}
