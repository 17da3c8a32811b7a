import { effect, type ReadonlySignal } from '@preact/signals-core';
import type { VNode } from 'preact';
import type { Chat, TranscriptItem } from '../../client/index.ts';
import { adoptCss } from '../dom/adopt-css.ts';
import { pageDocument } from '../dom/page-document.ts';
import { renderInto } from '../dom/render-into.tsx';
import { styleFrame } from '../dom/style-frame.ts';
import { hasFeature } from '../has-feature.ts';
import { followLanguage, type LoadedTexts, type Texts } from '../locales/follow-language.ts';
import type { EmitWidgetEvent, WidgetOptions } from '../options.ts';
import { signalFromEvent } from '../signals/signal-from-event.ts';
import panelCss from '../styles/index.css?inline';
import { App } from './app.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { LiveRegion } from './live-region/live-region.tsx';
import type { Terms } from './load-terms.ts';
import { createLazyParts } from './model/create-lazy-parts.ts';
import { createPanelModel } from './model/create-panel-model.ts';
import type { PanelModel } from './model/panel-model.ts';
import { readMessageText } from './read-message-text.ts';

/** The site's options, and what the widget itself sets beside them. */
export interface PanelOptions extends WidgetOptions {
  /** A proactive message that was shown: the conversation begins with it, in place of the site's greeting. */
  readonly opening?: string;
}

/** Dependencies of a panel, and its callbacks. */
export interface PanelConfig {
  /** The widget's shadow root; the panel adds its style sheet and one element to it. */
  readonly root: ShadowRoot;
  readonly chat: Chat;
  readonly options: ReadonlySignal<PanelOptions>;
  /** Texts in the first language. */
  readonly texts: LoadedTexts;
  /** Consent and legal texts; `null` for none. `chat` has to be the gated client when they ask for consent. */
  readonly terms: ReadonlySignal<Terms | null>;
  /** Reading direction of the page: the panel is at its end side. */
  readonly pageDirection: 'ltr' | 'rtl';
  readonly emit: EmitWidgetEvent;
  /** Called when the panel has opened or closed. `returnFocus` asks for the focus to move to the launcher. */
  readonly onToggle: (isOpen: boolean, returnFocus: boolean) => void;
}

/** A panel on the page. */
export interface Panel {
  readonly isOpen: ReadonlySignal<boolean>;
  /** The conversation is shown: the panel is open, and not at its home screen. */
  readonly isChatShown: ReadonlySignal<boolean>;
  /** The panel's texts and their language. */
  readonly texts: Texts;
  /** The site's name for its agent in that language; undefined where it gives none. */
  readonly agentName: string | undefined;
  /** Opens the panel. `takeFocus` is true only after a click or a key press of the visitor. */
  open(takeFocus: boolean): void;
  close(returnFocus: boolean): void;
  /** Sends like the composer does. */
  send(text: string): void;
  /** Returns an agent's text without its Markdown. */
  readText(text: string): Promise<string>;
  /**
   * Removes the panel, its style sheets and every listener and timer. The caller destroys the chat client.
   */
  destroy(): void;
}

/** Renders a panel, closed, into a shadow root. */
export function createPanel(config: PanelConfig): Panel {
  const { root, chat, terms, emit, pageDirection } = config;
  const controller = new AbortController();
  const removeSheets: (() => void)[] = [];
  // A part may load after the panel was destroyed.
  const adopt = (css: string): void => {
    if (!controller.signal.aborted) removeSheets.push(adoptCss(root, css));
  };
  adopt(panelCss);
  const frame = pageDocument.createElement('div');
  frame.className = 'frame';
  frame.dir = pageDirection;
  root.append(frame);

  const texts = followLanguage(chat.language, config.options, terms, navigator.languages, emit, config.texts);
  const model = createPanelModel(config, texts, createLazyParts(adopt, emit), frame, controller);
  const { isOpen, isChatShown, close, send } = model;
  const disposers = [
    texts.dispose,
    effect(() => {
      if (terms.value) adopt(terms.value.css);
    }),
    ...styleFrame(frame, model, pageDirection, controller),
    ...watchUnread(model, controller),
    ...watchPast(model),
    renderInto(<Content />, frame, model),
  ];
  return {
    isOpen,
    isChatShown,
    texts,
    get agentName() {
      return model.options.peek().agentName;
    },
    open(takeFocus) {
      model.open();
      if (takeFocus) model.focusComposer();
    },
    close,
    send,
    readText: (text) => readMessageText(text, model.parts),
    destroy() {
      controller.abort();
      for (const dispose of [...disposers, ...removeSheets]) dispose();
      frame.remove();
    },
  };
}

function Content(): VNode {
  return (
    <>
      <App />
      <ErrorBoundary>
        <LiveRegion />
      </ErrorBoundary>
    </>
  );
}

/** Loads and starts the code that keeps copies of conversations, if the site has enabled it. */
function watchPast(model: PanelModel): readonly (() => void)[] {
  const { chat, options, parts } = model;
  return [
    effect(() => parts.home.code.value?.keepPast(model)),
    effect(() => {
      if (hasFeature(options.value, 'history') && chat.messages.value.length > 0) parts.home.load();
    }),
  ];
}

/** Loads and starts the notifications when the visitor is elsewhere, and marks messages as read when they are in view. */
function watchUnread(model: PanelModel, controller: AbortController): readonly (() => void)[] {
  const { chat, isChatShown, parts } = model;
  const isVisible = signalFromEvent(pageDocument, 'visibilitychange', () => !pageDocument.hidden, controller);
  let seen: ReadonlySignal<TranscriptItem> | undefined;
  return [
    effect(() => parts.notifications.code.value?.startNotifications(model)),
    effect(() => {
      const isElsewhere = !(isChatShown.value && isVisible.value);
      if (isElsewhere && chat.messages.value.length > 0) parts.notifications.load();
    }),
    effect(() => {
      const last = chat.messages.value.at(-1);
      // Messages that came while the page was closed are not unread, and were not seen yet.
      if (isChatShown.value && (chat.unread.value > 0 || last !== seen) && isVisible.value) {
        seen = last;
        chat.markRead();
      }
    }),
  ];
}
