import type { Conversation, MakeConversation, WidgetCommands } from './conversation.ts';
import { createLauncher } from './launcher.ts';
import { WidgetEmitter, type WidgetEventName, type WidgetEvents } from './widget-events.ts';

/** A widget on a page. Every command may be given before the panel has loaded, and waits for it. */
export interface NatterWidget extends WidgetCommands {
  showLauncher(): Promise<void>;
  hideLauncher(): Promise<void>;
  /** Calls `handler` whenever the event happens; the returned function stops it. */
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** Takes everything off the page: nodes, listeners, timers, socket. The conversation stays resumable. */
  destroy(): Promise<void>;
}

/** What is needed before the panel has loaded. A text may be whatever an attribute says. */
export interface LauncherSettings {
  readonly accent?: string | undefined;
  readonly autoOpen?: boolean | undefined;
  readonly contactUrl?: string | undefined;
  readonly platform?: string | undefined;
  readonly position?: string | undefined;
  readonly renderMode?: string | undefined;
  readonly showLauncher?: boolean | undefined;
}

/**
 * Fetches the part with the client and the panel. `attempt` counts from 0: browsers may answer a module that could
 * not be fetched from memory, so that another try needs another address.
 */
export type LoadConversation = (attempt: number) => Promise<MakeConversation>;

const NOT_LOADED = 'The chat could not be loaded. Check your connection and try again.';

const DATABASE = 'natter';

const COMMANDS =
  'open close toggle send endChat newChat logout setTheme setLanguage showBubble animateLauncher doctor'.split(
    ' ',
  ) as readonly (keyof WidgetCommands)[];

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
  { accent, autoOpen, contactUrl, platform, position, renderMode, showLauncher = true }: LauncherSettings,
  load: LoadConversation,
): NatterWidget {
  const isFullscreen = renderMode === 'fullscreen' || platform === 'ios';
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
      .then((make) => {
        assertAlive();
        launcher.setFault(null);
        return make(root, launcher, emitter);
      })
      .catch((error: unknown) => {
        // The next try loads afresh: a network that failed once may work again.
        loading = null;
        throw error;
      });
    return loading;
  };
  // Each name goes with the parameters and the result that `WidgetCommands` gives it.
  const commands = Object.fromEntries(
    COMMANDS.map((name) => [
      name,
      async (...parameters: never[]): Promise<unknown> =>
        ((await getConversation())[name] as (...given: never[]) => unknown)(...parameters),
    ]),
  ) as unknown as WidgetCommands;
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
    position,
    onIntent: () => {
      // A preload that fails says nothing; the click that follows tries again and does.
      getConversation().catch(() => undefined);
    },
    onToggle: () => {
      launcher.setFault(null);
      orTell(commands.toggle());
    },
  });
  launcher.button.hidden = isFullscreen || !showLauncher;

  if (autoOpen || isFullscreen) orTell(commands.open());
  else {
    void hasStoredConversation().then((isStored) => {
      if (isStored && !isDestroyed)
        getConversation().then((conversation) => conversation.resume(), reportError);
    });
  }

  return {
    ...commands,
    showLauncher: async () => {
      launcher.button.hidden = false;
    },
    hideLauncher: async () => {
      launcher.button.hidden = true;
    },
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
