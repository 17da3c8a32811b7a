import { type Signal, signal } from '@preact/signals-core';
import type { PanelModel } from '../../panel/model/panel-model.ts';

/** The unsent request of a visitor. */
export interface ContactDraft {
  readonly name: string;
  readonly email: string;
  readonly text: string;
}

/** State of the form that lasts as long as the panel, beyond the screen with the form. */
export interface ContactState {
  readonly draft: Signal<ContactDraft | null>;
  /** Address in the sent message; empty before. */
  readonly sentTo: Signal<string>;
  /** The visitor left the form without sending, so that its button gets the focus back. */
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
