import { batch, computed, signal } from '@preact/signals-core';
import { toSafeHref } from '../markdown/safe-href.ts';
import type { WidgetOptions } from '../options.ts';
import type { PanelConfig } from '../panel.tsx';
import { signalFromMedia } from '../signals/signal-from-media.ts';
import type { Texts } from '../strings/follow-language.ts';
import type { LazyParts, PanelLayout, PanelModel } from './panel-model.ts';

/** In a window this small the panel covers the page. */
const SMALL_SCREEN = '(max-width: 480px), (max-height: 560px)';

/** Creates the state and the actions that the components of one panel share. `controller` is aborted with the panel. */
export function createPanelModel(
  config: PanelConfig,
  texts: Texts,
  parts: LazyParts,
  frame: HTMLElement,
  controller: AbortController,
): PanelModel {
  const { chat, terms, emit } = config;
  const { language, locale, strings } = texts;
  const options = computed(() => ({ ...config.options.value, ...terms.value?.textsIn(language.value) }));
  const isSmall = signalFromMedia(SMALL_SCREEN, controller);

  const overlay: PanelModel['overlay'] = signal('none');
  const isTouch = matchMedia('(hover: none) and (pointer: coarse)').matches;

  const model: PanelModel = {
    ...texts,
    chat,
    options,
    terms,
    parts,
    overlay,
    ...createOpenState(config, overlay),
    sendCount: signal(0),
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
      model.sendCount.value += 1;
      emit('send', { text: text.trim() });
    },
    focusComposer() {
      // On a touch screen the keyboard would cover the answer, so the panel itself gets the focus.
      const field = isTouch ? null : frame.querySelector<HTMLElement>('.field');
      (field ?? frame.querySelector<HTMLElement>('.panel'))?.focus({ preventScroll: true });
    },
  };
  return model;
}

type OpenState = Pick<PanelModel, 'isOpen' | 'open' | 'close'>;

function createOpenState({ emit, onToggle }: PanelConfig, overlay: PanelModel['overlay']): OpenState {
  const isOpen = signal(false);
  return {
    isOpen,
    open() {
      if (isOpen.peek()) return;
      isOpen.value = true;
      onToggle(true, false);
      emit('open', undefined);
    },
    close(returnFocus) {
      if (!isOpen.peek()) return;
      batch(() => {
        isOpen.value = false;
        overlay.value = 'none';
      });
      onToggle(false, returnFocus);
      emit('close', undefined);
    },
  };
}

function selectLayout({ renderMode, platform }: WidgetOptions, isSmall: boolean): PanelLayout {
  if (renderMode === 'fullscreen' || renderMode === 'inline' || platform === 'ios') return 'fullscreen';
  return isSmall ? 'sheet' : 'panel';
}
