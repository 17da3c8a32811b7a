import type { Conversation, WidgetCommands } from './conversation.ts';

/** Fetches what some pages need before the panel has loaded: the check of what a page says, and proactive messages. */
export type LoadEarly = () => Promise<typeof import('./early.ts')>;

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

const createCall =
  (name: keyof WidgetCommands, parameters: never[]): Call =>
  (conversation) =>
    (conversation[name] as (...given: never[]) => unknown)(...parameters);

/** Every command as a conversation takes it. */
type Commands = { -readonly [Name in keyof WidgetCommands]: Conversation[Name] };

/** A conversation that is loaded by the first command that needs it. Commands before that wait for it, in their order. */
export interface LazyConversation {
  readonly commands: Commands;
  /** Null until it has loaded, and after `destroy`. */
  readonly loaded: Conversation | null;
  readonly isDestroyed: boolean;
  /** Rejects when it cannot be loaded, and after `destroy`. */
  get(): Promise<Conversation>;
  assertAlive(): void;
  destroy(): Promise<void>;
}

export function createLazyConversation(
  load: () => Promise<Conversation>,
  loadEarly: LoadEarly,
): LazyConversation {
  let loading: Promise<Conversation> | null = null;
  let loaded: Conversation | null = null;
  let isDestroyed = false;
  let queue: Call[] = [];
  const assertAlive = (): void => {
    if (isDestroyed) throw new Error('The chat was destroyed.');
  };
  const get = async (): Promise<Conversation> => {
    assertAlive();
    loading ??= load()
      .then((made) => {
        for (const call of queue) call(made);
        loaded = made;
        return made;
      })
      .catch((error: unknown) => {
        // The next try loads afresh: a network that failed once may work again.
        loading = null;
        throw error;
      });
    return loading;
  };
  const run = async (name: keyof WidgetCommands, parameters: never[]): Promise<never> => {
    const call = createCall(name, parameters);
    if (loaded || isDestroyed || COMMANDS[name] === 'load') return call(await get()) as never;
    queue.push(call);
    // Without the check, the panel refuses the argument later, as an error of the page.
    const check = COMMANDS[name] === 'check' && (await loadEarly().catch(() => null));
    try {
      if (check) check.checkArgument(name, parameters[0]);
    } catch (error) {
      queue = queue.filter((other) => other !== call);
      throw error;
    }
    return undefined as never;
  };
  // Each name goes with the parameters and the result that `WidgetCommands` gives it.
  const commands = {} as Commands;
  for (const name of COMMAND_NAMES) commands[name] = (...parameters: never[]) => run(name, parameters);
  return {
    commands,
    get loaded() {
      return loaded;
    },
    get isDestroyed() {
      return isDestroyed;
    },
    get,
    assertAlive,
    destroy: async () => {
      isDestroyed = true;
      loaded = null;
      (await loading?.catch(() => undefined))?.destroy();
    },
  };
}
