import { whenIdle } from '../widget/index.ts';
import type { Conversation, MakeConversation, WidgetCommands } from './conversation.ts';
import { createLauncher } from './launcher.ts';
import { createEmitter, type WidgetEventName, type WidgetEvents } from './widget-events.ts';
import type { WidgetChanges } from './widget-options.ts';

/** A widget on a page. Every command may be given before the panel has loaded, and waits for it. */
export interface NatterWidget extends WidgetCommands {
  showLauncher(): Promise<void>;
  hideLauncher(): Promise<void>;
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
  readonly contactUrl?: string | undefined;
  readonly language?: string | undefined;
  readonly launcherLabel?: string | undefined;
  readonly platform?: string | undefined;
  readonly position?: string | undefined;
  readonly preload?: string | undefined;
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

/** Fetches the check of what a page says before the panel has loaded. */
export type LoadCheck = () => Promise<Pick<typeof import('./check-words.ts'), 'checkWords'>>;

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
  return (await indexedDB.databases()).some(({ name }) => name === DATABASE);
}

/**
 * How each command runs before the panel has loaded: `load` fetches the panel, `queue` runs once it is there and fetches
 * nothing, and `check` is the same with a check of its argument. A record, so that the compiler misses a command.
 */
const COMMANDS: Readonly<Record<keyof WidgetCommands, 'load' | 'queue' | 'check'>> = {
  open: 'load',
  close: 'load',
  toggle: 'load',
  send: 'load',
  endChat: 'load',
  newChat: 'load',
  logout: 'load',
  identify: 'check',
  setContext: 'check',
  onContextRequired: 'check',
  refreshVerifiedContext: 'queue',
  prefill: 'check',
  update: 'queue',
  setTheme: 'queue',
  setLanguage: 'queue',
  showBubble: 'load',
  animateLauncher: 'load',
  doctor: 'load',
};
const COMMAND_NAMES = Object.keys(COMMANDS) as readonly (keyof WidgetCommands)[];

/** One call of a command, with its parameters. */
type Call = (conversation: Conversation) => unknown;

/**
 * Draws the launcher into `host` and loads the rest when the visitor is about to use it. A click that cannot be
 * followed says so beside the launcher, and the next one tries again. After `destroy` the host is its maker's to remove, or
 * to empty.
 */
export function createWidget(
  host: HTMLElement,
  given: LauncherSettings,
  load: LoadConversation,
  loadCheck?: LoadCheck,
): NatterWidget {
  const settings = { ...given };
  const hasNoLauncher = (): boolean =>
    settings.renderMode === 'fullscreen' || settings.renderMode === 'inline' || settings.platform === 'ios';
  // An element that was taken off the page and put back has its root still.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const emitter = createEmitter(host);

  let loading: Promise<Conversation> | null = null;
  let conversation: Conversation | null = null;
  let isDestroyed = false;
  /** Calls that wait for the panel, in their order; null once it has loaded. */
  let queue: Call[] | null = [];
  const assertAlive = (): void => {
    if (isDestroyed) throw new Error('The chat was destroyed.');
  };
  const getConversation = async (): Promise<Conversation> => {
    assertAlive();
    loading ??= load(settings)
      .then((make) => {
        assertAlive();
        setFault();
        const made = make(root, button, emitter);
        conversation = made;
        for (const call of queue ?? []) call(made);
        queue = null;
        return made;
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
  for (const name of COMMAND_NAMES) {
    commands[name] = async (...parameters: never[]): Promise<never> => {
      const call: Call = (conversation) =>
        (conversation[name] as (...given: never[]) => unknown)(...parameters);
      if (!queue || COMMANDS[name] === 'load') return call(await getConversation()) as never;
      queue.push(call);
      if (COMMANDS[name] === 'check') {
        // Without the check, the panel refuses the argument later, as an error of the page.
        const check = await loadCheck?.().catch(() => null);
        try {
          check?.checkWords(name, parameters[0]);
        } catch (error) {
          queue = queue?.filter((other) => other !== call) ?? null;
          throw error;
        }
      }
      return undefined as never;
    };
  }
  /** For actions of the visitor, which have no caller that handles the error. */
  const orTell = (opening: Promise<void>): void => {
    opening.catch((error: unknown) => {
      if (isDestroyed) return;
      setFault(NOT_LOADED, settings.contactUrl);
      emitter.emit('error', { code: 'PANEL_NOT_LOADED', message: NOT_LOADED });
      reportError(error);
    });
  };

  const preload = (): void => {
    // A preload that fails says nothing; the click that follows tries again and does.
    getConversation().catch(() => undefined);
  };

  const { button, setFault, setLooks } = createLauncher(root, preload, () => {
    setFault();
    const isLoading = queue !== null;
    if (isLoading) button.ariaBusy = 'true';
    // A second click while the panel loads must not close it.
    orTell(commands.toggle(isLoading));
  });
  const draw = (changed: LauncherSettings): void => {
    if ('accent' in changed) host.style.setProperty('--natter-accent', settings.accent ?? '');
    // Once the panel has loaded, it names the button.
    setLooks(settings, queue !== null);
    button.hidden = hasNoLauncher() || `${settings.showLauncher ?? settings.showIcon}` === 'false';
  };
  /** False where the visitor opens it. */
  const start = (): boolean => {
    const opensItself = `${settings.autoOpen}` === 'true' || hasNoLauncher();
    if (opensItself) orTell(commands.open());
    else if (settings.preload === 'idle') whenIdle(preload);
    return opensItself;
  };
  draw(settings);

  // A page without an origin has no databases, and Chromium would report an error of the page if it asked for them.
  if (!start() && origin !== 'null') {
    hasPast()
      .then(
        async (isLeft) => isLeft && !isDestroyed && (await getConversation()).resume(),
        // Storage is blocked, or the browser does not tell: then there is nothing to resume.
        () => undefined,
      )
      // A widget that was destroyed while it loaded opens nothing.
      .catch((error: unknown) => isDestroyed || reportError(error));
  }

  const update = async (changed: WidgetChanges): Promise<void> => {
    assertAlive();
    Object.assign(settings, changed);
    draw(changed);
    // A panel that has loaded opens by itself, and needs no preload.
    if (queue) start();
    return commands.update(changed);
  };
  return {
    ...commands,
    update,
    showLauncher: () => update({ showLauncher: true }),
    hideLauncher: () => update({ showLauncher: false }),
    get isOpen() {
      return conversation?.isOpen ?? false;
    },
    get unread() {
      return conversation?.unread ?? 0;
    },
    on: emitter.on,
    once: emitter.once,
    destroy: async () => {
      const started = loading;
      isDestroyed = true;
      queue = null;
      conversation = null;
      emitter.clear();
      (await started?.catch(() => undefined))?.destroy();
    },
  };
}
