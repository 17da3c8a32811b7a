import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { Component, type ComponentChildren } from 'preact';
import type { ChatClient } from '../client/index.ts';
import type { WidgetOptions } from './options.ts';
import type { Strings } from './strings/catalogue.ts';
import { useProvided } from './view.ts';

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
  /** The conversation has ended or expired; another one can be started. */
  readonly isOver: ReadonlySignal<boolean>;
  /** Where to go when the chat cannot help; null when there is no such address, or it is not a safe one. */
  readonly contactHref: ReadonlySignal<string | null>;
  /** True where a keyboard would slide in over the page as soon as a field has the focus. */
  readonly isTouch: boolean;
  send(text: string): void;
  close(): void;
  focusComposer(): void;
}

/** Gives its model to every view below it. */
export class PanelProvider extends Component<{ model: PanelModel; children?: ComponentChildren }> {
  override getChildContext(): object {
    return { model: this.props.model };
  }

  override render(): ComponentChildren {
    return this.props.children;
  }
}

/** The model of the panel that the calling view belongs to. */
export function usePanel(): PanelModel {
  // Every view of the widget stands below a `PanelProvider`; there is nobody else to provide anything.
  return useProvided()['model'] as PanelModel;
}
