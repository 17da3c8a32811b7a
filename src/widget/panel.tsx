import { batch, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Chat } from '../client/index.ts';
import { adoptCss } from './adopt-css.ts';
import { Announcer } from './announcer.tsx';
import { App } from './app.tsx';
import { createPanelModel } from './create-panel-model.ts';
import { createParts } from './create-parts.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { followEvent } from './follow-event.ts';
import type { Terms } from './load-terms.ts';
import type { EmitWidgetEvent, WidgetOptions } from './options.ts';
import { pageDocument } from './page-document.ts';
import type { PanelModel } from './panel-model.ts';
import { renderInto } from './render-into.tsx';
import { followLanguage, type LoadedTexts, type Texts } from './strings/follow-language.ts';
import { styleFrame } from './style-frame.ts';
import panelCss from './styles/index.css?inline';

/** What a panel is made of and whom it tells. */
export interface PanelConfig {
  /** The widget's shadow root; the panel adds its style sheet and one element to it. */
  readonly root: ShadowRoot;
  readonly chat: Chat;
  readonly options: ReadonlySignal<WidgetOptions>;
  /** What the panel says at first. */
  readonly texts: LoadedTexts;
  /** What has to be said and asked before a conversation; may come later. `chat` is the client behind a gate that is there from the start. */
  readonly terms: ReadonlySignal<Terms | null>;
  /** Reading direction of the page, which decides the side the panel stands on. */
  readonly pageDirection: 'ltr' | 'rtl';
  readonly emit: EmitWidgetEvent;
  /** The panel has opened or closed. `isByKeyboard` asks for the focus to go back to the launcher. */
  readonly onToggle: (isOpen: boolean, returnFocus: boolean) => void;
}

/** A panel on the page. */
export interface Panel {
  readonly isOpen: ReadonlySignal<boolean>;
  /** What the panel says, and in which language. */
  readonly texts: Texts;
  /** Shows the panel. `takeFocus` only when the visitor asked for it with a click or a key. */
  open(takeFocus: boolean): void;
  close(returnFocus: boolean): void;
  /** Sends like the composer does. */
  send(text: string): void;
  /**
   * Removes the panel, its style sheets and every listener and timer. The chat client is its maker's to end.
   */
  destroy(): void;
}

/** Renders a panel, closed, into a shadow root. */
export function createPanel(config: PanelConfig): Panel {
  const { root, chat, terms, emit } = config;
  const life = new AbortController();
  const dropSheets: (() => void)[] = [];
  // A part may load after the panel was destroyed.
  const adopt = (css: string): void => {
    if (!life.signal.aborted) dropSheets.push(adoptCss(root, css));
  };
  adopt(panelCss);
  const frame = createFrame(config);
  const isOpen = signal(false);
  const isTouch = matchMedia('(hover: none) and (pointer: coarse)').matches;
  const texts = followLanguage(chat.language, config.options, navigator.languages, emit, config.texts);
  const model = createPanelModel({
    ...config,
    texts,
    parts: createParts(adopt, emit),
    isOpen,
    isTouch,
    life,
    close: () => close(true),
    focusComposer: () => focusComposer(frame, isTouch),
  });
  const disposers = [
    texts.dispose,
    effect(() => {
      if (terms.value) adopt(terms.value.css);
    }),
    styleFrame(frame, model, config.pageDirection, life),
    ...watchUnread(model, life),
    renderPanel(frame, model),
  ];

  function open(takeFocus: boolean): void {
    if (!isOpen.peek()) {
      isOpen.value = true;
      config.onToggle(true, false);
      emit('open', undefined);
    }
    if (takeFocus) model.focusComposer();
  }

  function close(returnFocus: boolean): void {
    if (!isOpen.peek()) return;
    batch(() => {
      isOpen.value = false;
      model.overlay.value = 'none';
    });
    config.onToggle(false, returnFocus);
    emit('close', undefined);
  }

  function destroy(): void {
    life.abort();
    for (const dispose of [...disposers, ...dropSheets]) dispose();
    frame.remove();
  }

  return { isOpen, texts, open, close, send: model.send, destroy };
}

function createFrame({ root, pageDirection }: PanelConfig): HTMLElement {
  const frame = pageDocument.createElement('div');
  frame.className = 'frame';
  frame.dir = pageDirection;
  root.append(frame);
  return frame;
}

/** Loads and starts the notifications when the visitor is elsewhere, and marks messages as read when they are in view. */
function watchUnread(model: PanelModel, life: AbortController): readonly (() => void)[] {
  const { chat, isOpen, parts } = model;
  const isVisible = followEvent(pageDocument, 'visibilitychange', () => !pageDocument.hidden, life);
  return [
    effect(() => parts.attention.code.value?.attend(model)),
    effect(() => {
      const isElsewhere = !(isOpen.value && isVisible.value);
      if (isElsewhere && chat.messages.value.length > 0) parts.attention.need();
    }),
    effect(() => {
      if (isOpen.value && chat.unread.value > 0 && isVisible.value) chat.markRead();
    }),
  ];
}

function renderPanel(frame: HTMLElement, model: PanelModel): () => void {
  return renderInto(
    <>
      <App />
      <ErrorBoundary>
        <Announcer />
      </ErrorBoundary>
    </>,
    frame,
    model,
  );
}

function focusComposer(frame: HTMLElement, isTouch: boolean): void {
  // On a touch screen the keyboard would cover the answer, so the panel itself gets the focus.
  const field = isTouch ? null : frame.querySelector<HTMLElement>('.field');
  (field ?? frame.querySelector<HTMLElement>('.panel'))?.focus({ preventScroll: true });
}
