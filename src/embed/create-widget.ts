import type { Conversation, MakeConversation, WidgetCommands } from './conversation.ts';
import { createLauncher } from './launcher.ts';
import { createEmitter, type WidgetEventName, type WidgetEvents } from './widget-events.ts';

/** A widget on a page. Every command may be given before the panel has loaded, and waits for it. */
export interface NatterWidget extends WidgetCommands {
  showLauncher(): Promise<void>;
  hideLauncher(): Promise<void>;
  /** Calls `handler` whenever the event happens; the returned function stops it. */
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  /** Takes everything off the page: nodes, listeners, timers, socket. The conversation stays resumable. */
  destroy(): Promise<void>;
}

/** What is needed before the panel has loaded. Whatever attributes say; what is none of the known values is the default. */
export interface LauncherSettings {
  readonly accent?: string | undefined;
  readonly autoOpen?: boolean | string | undefined;
  readonly contactUrl?: string | undefined;
  readonly language?: string | undefined;
  readonly launcherLabel?: string | undefined;
  readonly platform?: string | undefined;
  readonly position?: string | undefined;
  readonly renderMode?: string | undefined;
  /** What the attribute of the script tag sets is `showIcon`. */
  readonly showLauncher?: boolean | string | undefined;
  readonly showIcon?: string | undefined;
}

/**
 * Fetches the part with the client and the panel. Browsers may answer a module that could not be fetched from memory, so
 * that another try needs another address.
 */
export type LoadConversation = () => Promise<MakeConversation>;

const NOT_LOADED = 'The chat did not load. Please try again.';

const DATABASE = 'natter';

/** Names of the site's databases. Opens none, so that a visit leaves nothing behind. */
const listDatabases = async (): Promise<IDBDatabaseInfo[]> => indexedDB.databases();

const COMMANDS =
  'setTheme setLanguage identify setContext onContextRequired refreshVerifiedContext open close toggle send endChat newChat logout showBubble animateLauncher doctor'.split(
    ' ',
  ) as readonly (keyof WidgetCommands)[];

/** So many of them fetch nothing: what they say is kept until somebody uses the chat. */
const KEPT = 6;

/** A command given, with its parameters. */
type Call = (conversation: Conversation) => unknown;

/**
 * Draws the launcher into `host` and loads the rest when somebody is about to use it. A click that cannot be
 * followed says so beside the launcher, and the next one tries again. After `destroy` the host is its maker's to remove, or
 * to empty.
 */
export function createWidget(
  host: HTMLElement,
  settings: LauncherSettings,
  load: LoadConversation,
): NatterWidget {
  const { accent } = settings;
  const hasNoLauncher = /^(fullscreen|inline),|,ios$/.test(`${settings.renderMode},${settings.platform}`);
  // An element that was taken off the page and put back has its root still.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  if (accent) host.style.setProperty('--natter-accent', accent);
  const emitter = createEmitter(host);

  let loading: Promise<Conversation> | null = null;
  let isDestroyed = false;
  let kept: Call[] | null = [];
  const assertAlive = (): void => {
    if (isDestroyed) throw new Error('The chat was destroyed.');
  };
  const getConversation = async (): Promise<Conversation> => {
    assertAlive();
    loading ??= load()
      .then((make) => {
        assertAlive();
        setFault();
        const conversation = make(root, button, emitter);
        kept?.forEach((call) => {
          call(conversation);
        });
        kept = null;
        return conversation;
      })
      .catch((error: unknown) => {
        // The next try loads afresh: a network that failed once may work again.
        loading = null;
        throw error;
      });
    return loading;
  };
  // Each name goes with the parameters and the result that `WidgetCommands` gives it.
  const commands = {} as { -readonly [Name in keyof WidgetCommands]: Conversation[Name] };
  COMMANDS.forEach((name, index) => {
    commands[name] = async (...parameters: never[]): Promise<never> => {
      const call: Call = (conversation) =>
        (conversation[name] as (...given: never[]) => unknown)(...parameters);
      if (kept && index < KEPT) return void kept.push(call) as never;
      return call(await getConversation()) as never;
    };
  });
  /** For what nobody waits for but the visitor. */
  const orTell = (opening: Promise<void>): void => {
    opening.catch((error: unknown) => {
      if (isDestroyed) return;
      setFault(NOT_LOADED, settings.contactUrl);
      emitter.emit('error', { code: 'PANEL_NOT_LOADED', message: NOT_LOADED });
      reportError(error);
    });
  };

  const { button, setFault } = createLauncher(
    root,
    settings,
    () => {
      // A preload that fails says nothing; the click that follows tries again and does.
      getConversation().catch(() => undefined);
    },
    () => {
      setFault();
      button.ariaBusy = kept && 'true';
      // Whoever presses it once more while it loads wants it still.
      orTell(commands.toggle(kept && true));
    },
  );
  button.hidden = hasNoLauncher || `${settings.showLauncher ?? settings.showIcon}` === 'false';

  if (`${settings.autoOpen}` === 'true' || hasNoLauncher) orTell(commands.open());
  // A page without an origin has no databases, and Chromium would report an error of the page if it asked for them.
  else if (origin !== 'null') {
    listDatabases()
      .then(
        async (databases) =>
          databases.some(({ name }) => name === DATABASE) &&
          !isDestroyed &&
          (await getConversation()).resume(),
        // Storage is blocked, or the browser does not tell: then there is nothing to resume.
        () => undefined,
      )
      .catch(reportError);
  }

  return {
    ...commands,
    showLauncher: async () => {
      assertAlive();
      button.hidden = false;
    },
    hideLauncher: async () => {
      assertAlive();
      button.hidden = true;
    },
    on: emitter.on,
    destroy: async () => {
      const started = loading;
      isDestroyed = true;
      kept = null;
      emitter.clear();
      (await started?.catch(() => undefined))?.destroy();
    },
  };
}
