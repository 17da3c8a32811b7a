import { computed, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Chat } from '../client/index.ts';
import { followMedia } from './follow-media.ts';
import type { Terms } from './load-terms.ts';
import { toSafeHref } from './markdown/safe-href.ts';
import type { EmitWidgetEvent, WidgetOptions } from './options.ts';
import type { PanelLayout, PanelModel, Parts } from './panel-model.ts';
import type { Texts } from './strings/follow-language.ts';

/** In a window this small the panel covers the page. */
const SMALL_SCREEN = '(max-width: 480px), (max-height: 560px)';

/** Everything that a panel's model is made from. */
export interface PanelModelConfig {
  readonly chat: Chat;
  readonly options: ReadonlySignal<WidgetOptions>;
  readonly texts: Texts;
  readonly terms: ReadonlySignal<Terms | null>;
  readonly parts: Parts;
  readonly isOpen: ReadonlySignal<boolean>;
  readonly isTouch: boolean;
  /** Ends with the panel. */
  readonly life: AbortController;
  readonly emit: EmitWidgetEvent;
  readonly close: () => void;
  readonly focusComposer: () => void;
}

/** Creates the state and the actions that the components of one panel share. */
export function createPanelModel(config: PanelModelConfig): PanelModel {
  const { chat, texts, terms, parts, isOpen, isTouch, emit, close, focusComposer } = config;
  const { language, locale, strings } = texts;
  const options = computed(() => ({ ...config.options.value, ...terms.value?.textsIn(language.value) }));
  const isSmall = followMedia(SMALL_SCREEN, config.life);
  const overlay: PanelModel['overlay'] = signal('none');
  const sendCount = signal(0);

  return {
    ...texts,
    chat,
    options,
    terms,
    parts,
    isOpen,
    isTouch,
    overlay,
    sendCount,
    layout: computed(() => selectLayout(options.value, isSmall.value)),
    isMenuMissing: computed(() => overlay.value === 'menu' && parts.menu.hasFailed.value),
    times: computed(() => ({
      clock: new Intl.DateTimeFormat(locale.value, { hour: 'numeric', minute: '2-digit' }),
      exact: new Intl.DateTimeFormat(locale.value, { dateStyle: 'full', timeStyle: 'long' }),
    })),
    nameOf: (speaker) =>
      speaker?.name ??
      (speaker?.kind === 'live_agent'
        ? strings.value.tagPerson
        : (options.value.agentName ?? strings.value.defaultAgentName)),
    isOver: computed(() => ['ended', 'expired'].includes(chat.session.value.status)),
    contactHref: computed(() => toSafeHref(options.value.contactUrl ?? '')),
    send(text) {
      const outcome = chat.send(text);
      if (outcome.status !== 'accepted') return;
      sendCount.value += 1;
      emit('send', { text: text.trim() });
    },
    close,
    focusComposer,
  };
}

function selectLayout({ renderMode, platform }: WidgetOptions, isSmall: boolean): PanelLayout {
  if (renderMode === 'fullscreen' || renderMode === 'inline' || platform === 'ios') return 'fullscreen';
  return isSmall ? 'sheet' : 'panel';
}
