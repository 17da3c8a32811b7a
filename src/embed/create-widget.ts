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

/** A widget on a page. Every command may be given before the panel has loaded, and waits for it. */
export interface NatterWidget extends WidgetCommands {
  /** The panel is open. False until it has loaded. */
  readonly isOpen: boolean;
  /** How many messages arrived since the visitor last looked. 0 until the panel has loaded. */
  readonly unread: number;
  /** Calls `handler` whenever the event happens; the returned function stops it. Throws a `TypeError` for an unknown event, but not in the script tag's widget. */
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** Calls `handler` the next time that the event happens, and not again; the returned function stops it. */
  once<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** Takes everything off the page: nodes, listeners, timers, socket. The conversation stays resumable. */
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
 * Fetches the part with the client and the panel, for the settings that were given, as they have been changed since. Browsers may answer a
 * module that could not be fetched from memory, so that another try needs another address.
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
    // Without it each page begins with a closed panel.
  }
  // Not during the page's start, because the first call to the database service takes as long as drawing the launcher.
  await new Promise<void>(whenIdle);
  // A page without an origin has no databases, and Chromium would report an error of the page if it asked for them.
  return origin !== 'null' && (await indexedDB.databases()).some(({ name }) => name === DATABASE);
}

const opensItself = (settings: LauncherSettings): boolean =>
  `${settings.autoOpen}` === 'true' || isAlwaysOpen(settings);

/** Loads the panel where the visitor was in a chat before, and connects; a chat that opens itself needs neither. */
async function resumePast(
  chat: LazyConversation,
  settings: LauncherSettings,
  life: AbortSignal,
): Promise<void> {
  if (opensItself(settings)) return;
  // Storage is blocked or the browser does not say: then there is nothing to resume.
  const isLeft = await hasPast().catch(() => false);
  if (!isLeft || life.aborted) return;
  try {
    await (await chat.get()).resume();
  } catch (error) {
    // A widget that was destroyed while it loaded opens nothing.
    if (!life.aborted) reportError(error);
  }
}

/**
 * Draws the launcher into `host` and loads the rest when the visitor is about to use it. A click that cannot be
 * followed says so beside the launcher, and the next one tries again. After `destroy` the host is its maker's to remove, or
 * to empty. `attach` puts the host into the page, where it is not part of the page's own content.
 */
export function createWidget(
  host: HTMLElement,
  given: LauncherSettings,
  load: LoadConversation,
  loadEarly: LoadEarly,
  attach?: () => void,
): NatterWidget {
  const settings = { ...given };
  // An element that was taken off the page and put back has its root still.
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
  // A preload that fails says nothing; the click that follows tries again and does.
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
          // The page was written anew with `document.open()`, which removes all listeners.
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
  /** Shows changed settings. Until the panel has loaded, which then does so itself, also opens or preloads it. */
  const apply = (changed: LauncherSettings): void => {
    if ('accent' in changed) {
      const { accent = '' } = settings;
      // A custom property takes any text, and one that is no colour would leave everything without.
      host.style.setProperty('--natter-accent', CSS.supports('color', accent) ? accent : '');
    }
    // Once the panel has loaded, it names the button.
    setLooks(settings, !chat.loaded);
    button.hidden = isAlwaysOpen(settings) || `${settings.showLauncher ?? settings.showIcon}` === 'false';
    if (!chat.loaded) {
      if (opensItself(settings)) chat.commands.open().catch(reportFailure);
      else if (settings.preload === 'idle') whenIdle(preload);
    }
    if (!('proactive' in changed)) return;
    // After an earlier conversation, which comes when the page is idle.
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
