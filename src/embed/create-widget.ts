import { isAlwaysOpen, type WidgetOptions, whenIdle } from '../widget/index.ts';
import type { WidgetCommands } from './commands.ts';
import type { MakeConversation } from './conversation/conversation.ts';
import {
  createLazyConversation,
  type LazyConversation,
  type LoadEarly,
} from './conversation/lazy-conversation.ts';
import { createLauncher } from './launcher/launcher.ts';
import { containEvents } from './page/contain-events.ts';
import { keepPresent } from './page/presence.ts';
import { stayInView } from './page/stay-in-view.ts';
import { createEmitter, type WidgetEventName, type WidgetEvents } from './widget-events.ts';

/** A widget on a page. Commands that are called before the panel has loaded wait for it. */
export interface NatterWidget extends WidgetCommands {
  /** True while the panel is open. False until it has loaded. */
  readonly isOpen: boolean;
  /** How many messages arrived since the visitor last looked. 0 until the panel has loaded. */
  readonly unread: number;
  /**
   * Calls `handler` on each event; returns a function that removes it. Throws a `TypeError` for an unknown event,
   * except in the script tag's widget.
   */
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** Calls `handler` on the next event only; returns a function that removes it. */
  once<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** Removes everything from the page: nodes, listeners, timers, socket. The conversation stays resumable. */
  destroy(): Promise<void>;
}

/** The options that are needed before the panel has loaded. Raw attribute values; an unknown value means the default. */
export interface LauncherSettings {
  readonly accent?: string | undefined;
  readonly autoOpen?: boolean | string | undefined;
  readonly consent?: boolean | string | undefined;
  readonly contactUrl?: string | undefined;
  readonly language?: string | undefined;
  readonly launcherLabel?: string | undefined;
  readonly platform?: string | undefined;
  readonly position?: string | undefined;
  readonly preload?: string | undefined;
  readonly proactive?: WidgetOptions['proactive'];
  readonly renderMode?: string | undefined;
  /** The attribute of the script tag sets `showIcon` instead. */
  readonly showLauncher?: boolean | string | undefined;
  readonly showIcon?: string | undefined;
}

/**
 * Loads the code of client and panel for the current settings. Each try of the script tag needs another address,
 * because browsers may remember that a module failed.
 */
export type LoadConversation = (settings: LauncherSettings) => Promise<MakeConversation>;

const NOT_LOADED = 'The chat did not load. Please try again.';

const DATABASE = 'natter';

/**
 * Resolves with true if an earlier page of this tab left the chat open or messages unread, or if the site has a stored
 * conversation. Opens no database, so that a visit leaves nothing behind. Rejects where the browser forbids storage.
 */
async function hasPast(): Promise<boolean> {
  try {
    if (Object.keys(sessionStorage).some((key) => key.startsWith('natter-panel:'))) return true;
  } catch {
    // Without storage, each page begins with a closed panel.
  }
  // Not during the page's start, because the first call to the database service takes as long as drawing the launcher.
  await new Promise<void>(whenIdle);
  // A page without an origin has no databases, and Chromium would report an error of the page if it asked for them.
  return origin !== 'null' && (await indexedDB.databases()).some(({ name }) => name === DATABASE);
}

const opensItself = (settings: LauncherSettings): boolean =>
  `${settings.autoOpen}` === 'true' || isAlwaysOpen(settings);

/**
 * Loads the panel and connects if the visitor has an earlier chat. A chat that opens automatically does both anyway.
 */
async function resumePast(
  chat: LazyConversation,
  settings: LauncherSettings,
  lifetime: AbortSignal,
): Promise<void> {
  if (opensItself(settings)) return;
  // Storage is blocked, or the browser cannot list databases: there is nothing to resume.
  const isLeft = await hasPast().catch(() => false);
  if (!isLeft || lifetime.aborted) return;
  try {
    await (await chat.get()).resume();
  } catch (error) {
    // A widget that was destroyed while it loaded opens nothing.
    if (!lifetime.aborted) reportError(error);
  }
}

/**
 * Draws the launcher into `host`, and loads the rest when the visitor is about to use it. If loading fails, a click
 * shows an error beside the launcher, and the next click tries again. After `destroy`, the caller removes or empties
 * the host. `attach` puts the host into the page; it is left out for a host that is part of the page's own content.
 */
export function createWidget(
  host: HTMLElement,
  initialSettings: LauncherSettings,
  load: LoadConversation,
  loadEarly: LoadEarly,
  attach?: () => void,
): NatterWidget {
  const settings = { ...initialSettings };
  // An element that was removed from the page and inserted again still has its shadow root.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const emitter = createEmitter(host);
  const { signal } = emitter;
  containEvents(root, signal);
  const chat = createLazyConversation(
    async () => {
      const make = await load(settings);
      signal.throwIfAborted();
      setFault();
      return make(root, button, emitter, presence);
    },
    loadEarly,
    (changed) => {
      Object.assign(settings, changed);
      apply(changed);
    },
    signal,
  );
  // A failed preload is not reported, because the click that follows tries again and reports a failure.
  const preload = (): unknown => chat.get().catch(() => undefined);
  /** For actions of the visitor, which have no caller that handles the error. */
  const reportFailure = (error: unknown): void => {
    if (signal.aborted) return;
    setFault(NOT_LOADED, settings.contactUrl);
    emitter.emit('error', { code: 'PANEL_NOT_LOADED', message: NOT_LOADED });
    reportError(error);
  };
  const { button, listen, setFault, setLooks } = createLauncher(root, preload, () => {
    setFault();
    const isLoading = !chat.loaded;
    if (isLoading) button.ariaBusy = 'true';
    // A second click while the panel loads must not close it.
    chat.commands.toggle(isLoading).catch(reportFailure);
  });
  const presence =
    attach &&
    keepPresent(
      root,
      attach,
      () => {
        if (listen()) {
          // The page was rewritten with `document.open()`, which removes all listeners.
          containEvents(root, signal);
          chat.loaded?.remake().catch(reportError);
        }
        if (host.popover) host.showPopover();
        root.dispatchEvent(new Event('return'));
      },
      signal,
    );
  stayInView(host, button, signal);
  const resumed = resumePast(chat, settings, signal);
  /**
   * Applies changed settings to the launcher. Until the panel has loaded, also opens or preloads it; a loaded panel
   * opens itself.
   */
  const apply = (changed: LauncherSettings): void => {
    if ('accent' in changed) {
      const { accent = '' } = settings;
      // A custom property accepts any text, and an invalid colour would remove every colour that is derived from it.
      host.style.setProperty('--natter-accent', CSS.supports('color', accent) ? accent : '');
    }
    // Once the panel has loaded, it sets the button's label.
    setLooks(settings, !chat.loaded);
    button.hidden = isAlwaysOpen(settings) || `${settings.showLauncher ?? settings.showIcon}` === 'false';
    if (!chat.loaded) {
      if (opensItself(settings)) chat.commands.open().catch(reportFailure);
      else if (settings.preload === 'idle') whenIdle(preload);
    }
    if (!('proactive' in changed)) return;
    // An earlier conversation is resumed first, when the page is idle, because messages are not shown beside it.
    resumed
      .then(loadEarly)
      .then(({ startProactive }) => startProactive(chat, button, settings, emitter))
      .catch(reportError);
  };
  apply(settings);

  return {
    ...chat.commands,
    get isOpen() {
      return chat.loaded?.isOpen ?? false;
    },
    get unread() {
      return chat.loaded?.unread ?? 0;
    },
    on: emitter.on,
    once: emitter.once,
    destroy: () => {
      emitter.clear();
      return chat.destroy();
    },
  };
}
