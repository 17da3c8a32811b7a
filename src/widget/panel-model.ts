import type { ReadonlySignal, Signal } from '@preact/signals';
import { type Context, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ChatClient } from '../client/index.ts';
import type { WidgetOptions } from './options.ts';
import type { Strings } from './strings/catalogue.ts';

/** How the panel sits in the window: beside the launcher, over a small screen, or as the whole page. */
export type PanelLayout = 'panel' | 'sheet' | 'fullscreen';

/** What every part of one panel shares. One per widget: nothing of it is global. */
export interface PanelModel {
  readonly chat: ChatClient;
  readonly options: ReadonlySignal<WidgetOptions>;
  readonly strings: ReadonlySignal<Strings>;
  readonly locale: ReadonlySignal<string>;
  /** Reading direction of the conversation's language. */
  readonly direction: ReadonlySignal<'ltr' | 'rtl'>;
  readonly layout: ReadonlySignal<PanelLayout>;
  readonly isOpen: ReadonlySignal<boolean>;
  /** The text in the composer; survives closing and an ended chat. */
  readonly draft: Signal<string>;
  /** What lies over the conversation. */
  readonly overlay: Signal<'none' | 'menu' | 'confirm_end'>;
  /** Counts the visitor's sends, so that the transcript knows when to go to the question. */
  readonly sendCount: Signal<number>;
  readonly agentName: ReadonlySignal<string>;
  /** True where a keyboard would slide in over the page as soon as a field has the focus. */
  readonly isTouch: boolean;
  send(text: string): void;
  close(): void;
  focusComposer(): void;
}

const PanelContext: Context<PanelModel | null> = createContext<PanelModel | null>(null);

export const PanelProvider: typeof PanelContext.Provider = PanelContext.Provider;

/** The model of the panel that the calling component belongs to. */
export function usePanel(): PanelModel {
  const model = useContext(PanelContext);
  if (!model)
    throw new Error('usePanel was called outside a panel. Render the component below PanelProvider.');
  return model;
}
