import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Speaker, TranscriptItem } from '../../../client/index.ts';
import { afterPaint } from '../../dom/after-paint.ts';
import { canFetchAhead } from '../../dom/can-fetch-ahead.ts';
import { directionOfLanguage } from '../../dom/text-direction.ts';
import { whenIdle } from '../../dom/when-idle.ts';
import { isAlwaysOpen } from '../../is-always-open.ts';
import { toSafeHref } from '../../links/safe-href.ts';
import type { Texts } from '../../locales/follow-language.ts';
import type { WidgetOptions } from '../../options.ts';
import { signalFromMedia } from '../../signals/signal-from-media.ts';
import type { PanelConfig } from '../panel.tsx';
import { createEntries } from './create-entries.ts';
import { createHome } from './create-home.ts';
import { hideGreeting } from './hide-greeting.ts';
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
  const { terms } = config;
  const { language, locale, strings } = texts;
  const options = computed(() => {
    const siteOptions = config.options.value;
    const { opening: welcome } = siteOptions;
    return { ...siteOptions, ...terms.value?.textsIn(language.value), ...(welcome && { welcome }) };
  });
  const chat = hideGreeting(config.chat, options);
  const isSmall = signalFromMedia(SMALL_SCREEN, controller);

  const overlay: PanelModel['overlay'] = signal('none');
  const entries = createEntries(chat, controller);
  const agent = computed(() => {
    const { value } = chat.speaker;
    if (value?.kind === 'agent') return value;
    const last = entries.entries.value.findLast((entry) => agentIn(entry.peek()));
    return last ? agentIn(last.peek()) : null;
  });
  /** The browser was idle after the panel was shown. */
  const wasIdle = signal(false);
  const isOver = computed(() => ['ended', 'expired'].includes(chat.session.value.status));
  const sendCount = signal(0);
  const focusComposer = createComposerFocus(frame);
  const { enter, ...home } = createHome({ chat, options, parts, focusComposer });
  const openState = createOpenState(config, overlay, enter, () => {
    wasIdle.value = true;
    // Nearly every conversation needs it: the history or the first answer then does not wait for another file.
    if (canFetchAhead()) parts.markdown.preload();
  });

  return {
    ...texts,
    chat,
    agent,
    options,
    terms,
    parts,
    decodedFaces: new Set(),
    overlay,
    ...entries,
    ...home,
    ...openState,
    isChatShown: computed(() => openState.isOpen.value && !home.isAtHome.value),
    sendCount,
    hasFiles: signal(false),
    screen: signal(null),
    textDirection: computed(() =>
      chat.language.value ? directionOfLanguage(chat.language.value) : texts.direction.value,
    ),
    layout: computed(() => selectLayout(options.value, isSmall.value)),
    isMenuMissing: computed(() => overlay.value === 'menu' && parts.menu.hasFailed.value),
    times: computed(() => (wasIdle.value ? createTimeFormats(locale.value) : null)),
    nameOf(requested) {
      const speaker = requested ?? agent.value;
      if (speaker?.kind === 'live_agent') return speaker.name ?? strings.value.tagPerson;
      return options.value.agentName || (speaker?.name ?? strings.value.defaultAgentName);
    },
    isOver,
    closedUntilMs: signal<number | null>(null),
    isLeaving: signal(false),
    contactHref: computed(() => toSafeHref(options.value.contactUrl ?? '')),
    send: createSender(config, isOver, sendCount, () => entries.keepAbove(chat.newChat)),
    focusComposer,
  };
}

/** Returns the function that sends a text; after the end of a chat it begins a new one first, with `beginChat`. */
function createSender(
  { chat, emit }: PanelConfig,
  isOver: ReadonlySignal<boolean>,
  sendCount: Signal<number>,
  beginChat: () => Promise<void>,
): PanelModel['send'] {
  let beginning: Promise<void> | null = null;
  const deliver = (text: string): void => {
    if (chat.send(text).status !== 'accepted') return;
    sendCount.value += 1;
    emit('send', { text: text.trim() });
  };
  return (text) => {
    if (!beginning && !isOver.peek()) return deliver(text);
    // If the site asks for consent, this takes until the visitor has agreed.
    beginning ??= beginChat().finally(() => {
      beginning = null;
    });
    void beginning.then(() => deliver(text));
  };
}

/** Returns the function that moves the focus to the composer; on a touch screen to the panel, where no keyboard covers the answer. */
function createComposerFocus(frame: HTMLElement): () => void {
  const isTouch = matchMedia('(hover: none) and (pointer: coarse)').matches;
  return () => {
    const field = isTouch ? null : frame.querySelector<HTMLElement>('.field');
    (field ?? frame.querySelector<HTMLElement>('.panel'))?.focus({ preventScroll: true });
  };
}

const agentIn = (item: TranscriptItem): Speaker | null =>
  item.kind === 'agent' && item.speaker.kind === 'agent' ? item.speaker : null;

function createTimeFormats(locale: string) {
  return {
    clock: new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }),
    exact: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }),
  };
}

type OpenState = Pick<PanelModel, 'isOpen' | 'open' | 'close'>;

function createOpenState(
  { emit, onToggle }: PanelConfig,
  overlay: PanelModel['overlay'],
  onOpen: () => void,
  onIdle: () => void,
): OpenState {
  const isOpen = signal(false);
  return {
    isOpen,
    open() {
      if (isOpen.peek()) return;
      batch(() => {
        onOpen();
        isOpen.value = true;
      });
      onToggle(true, false);
      emit('open', undefined);
      afterPaint(() => whenIdle(onIdle));
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

function selectLayout(options: WidgetOptions, isSmall: boolean): PanelLayout {
  if (isAlwaysOpen(options)) return 'fullscreen';
  return isSmall ? 'sheet' : 'panel';
}
