import type { Conversation, MakeConversation, WidgetCommands } from './conversation.ts';
import { createLauncher } from './launcher.ts';
import { createEmitter, type WidgetEventName, type WidgetEvents } from './widget-events.ts';
import type { WidgetChanges } from './widget-options.ts';

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
 * Fetches the part with the client and the panel, for the settings that were given, as they have been changed since. Browsers may answer a
 * module that could not be fetched from memory, so that another try needs another address.
 */
export type LoadConversation = (settings: object) => Promise<MakeConversation>;

/** Fetches the check of what a page says before the panel has loaded. */
export type LoadCheck = () => Promise<Pick<typeof import('./check-words.ts'), 'checkWords'>>;

const NOT_LOADED = 'The chat did not load. Please try again.';

const DATABASE = 'natter';

/**
 * Whether an earlier page left something to go on with: the site a conversation, this tab how it showed the chat. Opens no
 * database, so that a visit leaves nothing behind. Rejects where the browser forbids storage.
 */
const hasPast = async (): Promise<boolean> =>
  (await indexedDB.databases()).some(({ name }) => name === DATABASE) ||
  Object.keys(sessionStorage).some((key) => key.startsWith('natter-panel:'));

const COMMANDS =
  'update setTheme setLanguage identify setContext onContextRequired refreshVerifiedContext open close toggle send endChat newChat logout showBubble animateLauncher doctor'.split(
    ' ',
  ) as readonly (keyof WidgetCommands)[];

/** So many of them do not fetch the panel: what they say is kept until it is there. */
const KEPT = 7;
/** The first of these, whose arguments are of one type, need no check. */
const UNCHECKED = 3;

/** A command given, with its parameters. */
type Call = (conversation: Conversation) => unknown;

/**
 * Draws the launcher into `host` and loads the rest when somebody is about to use it. A click that cannot be
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
    /^(fullscreen|inline),|,ios$/.test(`${settings.renderMode},${settings.platform}`);
  // An element that was taken off the page and put back has its root still.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const emitter = createEmitter(host);

  let loading: Promise<Conversation> | null = null;
  let isDestroyed = false;
  let kept: Call[] | null = [];
  const assertAlive = (): void => {
    if (isDestroyed) throw new Error('The chat was destroyed.');
  };
  const getConversation = async (): Promise<Conversation> => {
    assertAlive();
    loading ??= load(settings)
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
      if (kept && index < KEPT) {
        kept.push(call);
        try {
          // What cannot be checked now is refused later, as an error of the page.
          const check = index < UNCHECKED ? null : await loadCheck?.().catch(() => null);
          check?.checkWords(name, parameters[0]);
        } catch (error) {
          kept = kept?.filter((other) => other !== call) ?? null;
          throw error;
        }
        return undefined as never;
      }
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

  const { button, setFault, setLooks } = createLauncher(
    root,
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
  const draw = (changed: LauncherSettings): void => {
    if ('accent' in changed) host.style.setProperty('--natter-accent', settings.accent ?? '');
    // Once the panel is there, the button has its words.
    setLooks(settings, kept && true);
    button.hidden = hasNoLauncher() || `${settings.showLauncher ?? settings.showIcon}` === 'false';
  };
  /** False where the visitor opens it. */
  const start = (): boolean => {
    const opensItself = `${settings.autoOpen}` === 'true' || hasNoLauncher();
    if (opensItself) orTell(commands.open());
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
      // A widget that was destroyed while it loaded has nobody left to open it for.
      .catch((error: unknown) => isDestroyed || reportError(error));
  }

  const update = async (changed: WidgetChanges): Promise<void> => {
    assertAlive();
    Object.assign(settings, changed);
    draw(changed);
    // A panel that is there opens by itself.
    if (kept) start();
    return commands.update(changed);
  };
  return {
    ...commands,
    update,
    showLauncher: () => update({ showLauncher: true }),
    hideLauncher: () => update({ showLauncher: false }),
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
