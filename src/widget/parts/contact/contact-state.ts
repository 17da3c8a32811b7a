import { type Signal, signal } from '@preact/signals-core';
import type { PanelModel } from '../../panel/model/panel-model.ts';

/** What a visitor has written and not sent. */
export interface ContactDraft {
  readonly name: string;
  readonly email: string;
  readonly text: string;
}

/** What outlives the screen with the form, as long as the panel. */
export interface ContactState {
  readonly draft: Signal<ContactDraft | null>;
  /** Address of the message that was sent; empty before. */
  readonly sentTo: Signal<string>;
  /** The form was left without a message, so that its button gets the focus back. */
  readonly isReturning: Signal<boolean>;
}

const states = new WeakMap<PanelModel['screen'], ContactState>();

export function contactStateOf({ screen }: PanelModel): ContactState {
  const known = states.get(screen);
  if (known) return known;
  const made = { draft: signal(null), sentTo: signal(''), isReturning: signal(false) };
  states.set(screen, made);
  return made;
}
