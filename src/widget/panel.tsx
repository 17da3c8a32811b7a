import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { type Chat, retryImport } from '../client/index.ts';
import { adoptCss } from './adopt-css.ts';
import { Announcer } from './announcer.tsx';
import { App } from './app.tsx';
import { coverVisibleArea } from './cover-visible-area.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { followEvent } from './follow-event.ts';
import type { Terms } from './load-terms.ts';
import { makePageInert } from './make-page-inert.ts';
import { toSafeHref } from './markdown/safe-href.ts';
import type { EmitWidgetEvent, WidgetOptions } from './options.ts';
import { pageDocument } from './page-document.ts';
import type { PanelLayout, PanelModel } from './panel-model.ts';
import { createPart, type Part } from './part.ts';
import { renderInto } from './render-into.tsx';
import { followLanguage, type LoadedTexts, type Texts } from './strings/follow-language.ts';
import panelCss from './styles/index.css?inline';

/** The window is too small for a panel beside the page. */
const SMALL_SCREEN = '(max-width: 480px), (max-height: 560px)';

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
  const dropSheets: (() => void)[] = [];
  const adopt = (css: string): void => void dropSheets.push(adoptCss(root, css));
  adopt(panelCss);
  const frame = pageDocument.createElement('div');
  frame.className = 'frame';
  frame.dir = config.pageDirection;
  root.append(frame);

  const isOpen = signal(false);
  const life = new AbortController();
  const watchMedia = (query: string): ReadonlySignal<boolean> => {
    const media = matchMedia(query);
    return followEvent(media, 'change', () => media.matches, life);
  };
  const isDark = watchMedia('(prefers-color-scheme: dark)');
  const isSmall = watchMedia(SMALL_SCREEN);
  const isVisible = followEvent(pageDocument, 'visibilitychange', () => !pageDocument.hidden, life);
  const isTouch = matchMedia('(hover: none) and (pointer: coarse)').matches;
  const texts = followLanguage(chat.language, config.options, navigator.languages, emit, config.texts);
  const options = computed(() => ({
    ...config.options.value,
    ...terms.value?.textsIn(texts.language.value),
  }));
  const layout = computed<PanelLayout>(() => {
    const { renderMode, platform } = options.value;
    if (renderMode === 'fullscreen' || renderMode === 'inline' || platform === 'ios') return 'fullscreen';
    return isSmall.value ? 'sheet' : 'panel';
  });
  const latePart = <Code extends { readonly css?: string; readonly [name: string]: unknown }>(
    load: () => Promise<Code>,
  ): Part<Code> =>
    createPart(
      async () => {
        const code = await retryImport(load);
        if (code.css && !life.signal.aborted) adopt(code.css);
        return code;
      },
      (cause) =>
        emit('error', { code: 'PART_NOT_LOADED', message: `Part of the chat did not load. ${cause}` }),
    );
  const panelElement = () => frame.querySelector<HTMLElement>('.panel');

  const model: PanelModel = {
    ...texts,
    chat,
    options,
    layout,
    isOpen,
    isTouch,
    terms,
    overlay: signal('none'),
    isMenuMissing: computed(() => model.overlay.value === 'menu' && model.parts.menu.hasFailed.value),
    sendCount: signal(0),
    times: computed(() => ({
      clock: new Intl.DateTimeFormat(texts.locale.value, { hour: 'numeric', minute: '2-digit' }),
      exact: new Intl.DateTimeFormat(texts.locale.value, { dateStyle: 'full', timeStyle: 'long' }),
    })),
    nameOf: (speaker) =>
      speaker?.name ??
      (speaker?.kind === 'live_agent'
        ? texts.strings.value.tagPerson
        : (options.value.agentName ?? texts.strings.value.defaultAgentName)),
    isOver: computed(() => ['ended', 'expired'].includes(chat.session.value.status)),
    parts: {
      menu: latePart(() => import('./menu/index.ts')),
      cards: latePart(() => import('./cards/index.ts')),
      notices: latePart(() => import('./notices/index.ts')),
      ended: latePart(() => import('./ended/index.ts')),
      survey: latePart(() => import('./survey/index.ts')),
      save: latePart(() => import('./save/index.ts')),
      attention: latePart(() => import('./attention/index.ts')),
      reading: latePart(() => import('./reading/index.ts')),
    },
    contactHref: computed(() => toSafeHref(options.value.contactUrl ?? '')),
    send(text) {
      const outcome = chat.send(text);
      if (outcome.status !== 'accepted') return;
      model.sendCount.value += 1;
      emit('send', { text: text.trim() });
    },
    close: () => close(true),
    focusComposer() {
      // On a touch screen the keyboard would cover the answer; there the panel itself is a good place.
      const field = isTouch ? null : frame.querySelector<HTMLElement>('.field');
      (field ?? panelElement())?.focus({ preventScroll: true });
    },
  };

  const disposers = [
    texts.dispose,
    effect(() => {
      if (terms.value) adopt(terms.value.css);
    }),
    effect(() => model.parts.attention.code.value?.attend(model)),
    effect(() => {
      const isCovering = isOpen.value && layout.value === 'sheet';
      if (!isCovering) return;
      const uncover = coverVisibleArea(frame);
      const giveBack = makePageInert(frame);
      return () => {
        uncover();
        giveBack();
      };
    }),
    effect(() => {
      const { theme, position } = options.value;
      const isDarkWanted = theme === 'dark' || (theme !== 'light' && isDark.value);
      const isRightEdge = (position !== 'start') === (config.pageDirection === 'ltr');
      Object.assign(frame.dataset, {
        theme: isDarkWanted ? 'dark' : 'light',
        layout: layout.value,
        open: isOpen.value,
        edge: isRightEdge ? 'right' : 'left',
      });
      frame.lang = texts.language.value;
    }),
    effect(() => {
      const isElsewhere = !(isOpen.value && isVisible.value);
      if (isElsewhere && chat.messages.value.length > 0) model.parts.attention.need();
    }),
    effect(() => {
      if (isOpen.value && chat.unread.value > 0 && isVisible.value) chat.markRead();
    }),
  ];
  const stopRendering = renderInto(
    <>
      <App />
      <ErrorBoundary>
        <Announcer />
      </ErrorBoundary>
    </>,
    frame,
    model,
  );

  function close(returnFocus: boolean): void {
    if (!isOpen.peek()) return;
    batch(() => {
      isOpen.value = false;
      model.overlay.value = 'none';
    });
    config.onToggle(false, returnFocus);
    emit('close', undefined);
  }

  return {
    isOpen,
    texts,
    open(takeFocus) {
      if (!isOpen.peek()) {
        isOpen.value = true;
        config.onToggle(true, false);
        emit('open', undefined);
      }
      if (takeFocus) model.focusComposer();
    },
    close,
    send: model.send,
    destroy() {
      life.abort();
      for (const dispose of disposers) dispose();
      stopRendering();
      frame.remove();
      for (const drop of dropSheets) drop();
    },
  };
}
