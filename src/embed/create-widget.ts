import type { SendOutcome } from '../client/index.ts';
import type { Conversation, createConversation } from './conversation.ts';
import { createLauncher } from './launcher.ts';
import { WidgetEmitter, type WidgetEventName, type WidgetEvents } from './widget-events.ts';
import type { WidgetOptions } from './widget-options.ts';

/** A widget on a page. Every command may be given before the panel has loaded, and waits for it. */
export interface NatterWidget {
  open(): Promise<void>;
  close(): Promise<void>;
  toggle(): Promise<void>;
  /** Sends as if the visitor had written it. */
  send(text: string): Promise<SendOutcome>;
  /** Ends the conversation for good. */
  endChat(): Promise<void>;
  /** Leaves an ended conversation behind and starts another. */
  newChat(): Promise<void>;
  showLauncher(): Promise<void>;
  hideLauncher(): Promise<void>;
  /** Calls `handler` whenever the event happens; the returned function stops it. */
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** Takes everything off the page: nodes, listeners, timers, socket. The conversation stays resumable. */
  destroy(): Promise<void>;
}

/**
 * Fetches the part with the client and the panel. `attempt` counts from 0: browsers may answer a module that could
 * not be fetched from memory, so that another try needs another address.
 */
export type LoadConversation = (
  attempt: number,
) => Promise<{ readonly createConversation: typeof createConversation }>;

const NOT_LOADED = 'The chat could not be loaded. Check your connection and try again.';

const DATABASE = 'natter';

/**
 * Whether this visitor has talked here before. Asks for the names of the site's databases and opens none, so
 * that a visit leaves nothing behind.
 */
async function hasStoredConversation(): Promise<boolean> {
  try {
    return (await indexedDB.databases()).some(({ name }) => name === DATABASE);
  } catch {
    // Storage is blocked, or the browser does not tell: then there is nothing to resume.
    return false;
  }
}

/**
 * Draws the launcher into `host` and loads the rest when somebody is about to use it. A click that cannot be
 * followed says so beside the launcher, and the next one tries again.
 */
export function createWidget(
  host: HTMLElement,
  options: WidgetOptions,
  load: LoadConversation,
): NatterWidget {
  const { autoOpen, position, accent, contactUrl } = options;
  const isFullscreen = options.renderMode === 'fullscreen' || options.platform === 'ios';
  // An element that was taken off the page and put back has its root still.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  if (accent) host.style.setProperty('--natter-accent', accent);
  const emitter = new WidgetEmitter();

  let attempt = 0;
  let loading: Promise<Conversation> | null = null;
  let isDestroyed = false;
  const assertAlive = (): void => {
    if (isDestroyed) throw new Error('This widget was destroyed.');
  };
  const getConversation = async (): Promise<Conversation> => {
    assertAlive();
    loading ??= load(attempt++)
      .then((module) => {
        assertAlive();
        launcher.setFault(null);
        return module.createConversation(root, launcher, emitter, options);
      })
      .catch((error: unknown) => {
        // The next try loads afresh: a network that failed once may work again.
        loading = null;
        throw error;
      });
    return loading;
  };
  const toggle = async (): Promise<void> => {
    const conversation = await getConversation();
    if (conversation.isOpen) conversation.close(true);
    else conversation.open(true);
  };
  const open = async (): Promise<void> => (await getConversation()).open(false);
  /** For what nobody waits for but the visitor. */
  const orTell = (opening: Promise<void>): void => {
    opening.catch((error: unknown) => {
      if (isDestroyed) return;
      launcher.setFault(NOT_LOADED, contactUrl);
      emitter.emit('error', { code: 'PANEL_NOT_LOADED', message: NOT_LOADED });
      reportError(error);
    });
  };

  const launcher = createLauncher(root, {
    ...(position && { position }),
    onIntent: () => {
      // A preload that fails says nothing; the click that follows tries again and does.
      getConversation().catch(() => undefined);
    },
    onToggle: () => {
      launcher.setFault(null);
      orTell(toggle());
    },
  });
  launcher.setVisible(!isFullscreen && (options.showLauncher ?? true));

  if (autoOpen || isFullscreen) orTell(open());
  else {
    void hasStoredConversation().then((isStored) => {
      if (isStored && !isDestroyed)
        getConversation().then((conversation) => conversation.resume(), reportError);
    });
  }

  return {
    open,
    close: async () => (await getConversation()).close(false),
    toggle,
    send: async (text) => (await getConversation()).send(text),
    endChat: async () => (await getConversation()).endChat(),
    newChat: async () => (await getConversation()).newChat(),
    showLauncher: async () => launcher.setVisible(true),
    hideLauncher: async () => launcher.setVisible(false),
    on: (name, handler) => emitter.on(name, handler),
    destroy: async () => {
      const started = loading;
      isDestroyed = true;
      emitter.clear();
      root.replaceChildren();
      root.adoptedStyleSheets = [];
      if (accent) host.style.removeProperty('--natter-accent');
      await started?.then(
        (conversation) => conversation.destroy(),
        () => undefined,
      );
    },
  };
}
