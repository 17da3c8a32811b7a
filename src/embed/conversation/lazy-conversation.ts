import type { WidgetChanges } from '../../widget/index.ts';
import { type Call, type Commands, createCommands } from '../commands.ts';
import type { Conversation } from './conversation.ts';

/** Loads the code that some pages need before the panel: checks of arguments, and proactive messages. */
export type LoadEarly = () => Promise<typeof import('../loader/early.ts')>;

/**
 * A conversation that is loaded by the first command that needs it. Earlier commands wait for it, and run in their
 * order.
 */
export interface LazyConversation {
  readonly commands: Commands;
  /** Null until it has loaded, and after `destroy`. */
  readonly loaded: Conversation | null;
  /** Rejects when it cannot be loaded, and after `destroy`. */
  get(): Promise<Conversation>;
  /** Destroys the conversation, also one that is still loading. Call it after `lifetime` was aborted. */
  destroy(): Promise<void>;
}

/**
 * Creates a conversation that is not loaded yet; `lifetime` ends it. `follow` applies changed options, also before the
 * panel has loaded.
 */
export function createLazyConversation(
  load: () => Promise<Conversation>,
  loadEarly: LoadEarly,
  follow: (changes: WidgetChanges) => void,
  lifetime: AbortSignal,
): LazyConversation {
  let loading: Promise<Conversation> | null = null;
  let loaded: Conversation | null = null;
  let queue: ((conversation: Conversation) => unknown)[] = [];
  const get = async (): Promise<Conversation> => {
    lifetime.throwIfAborted();
    loading ??= load()
      .then((made) => {
        for (const call of queue) call(made);
        loaded = made;
        return made;
      })
      .catch((error: unknown) => {
        // The next call loads again, because the network may work by then.
        loading = null;
        throw error;
      });
    return loading;
  };
  const run = async (call: Call): Promise<unknown> => {
    const { how, on } = call;
    if (loaded || how === 'load' || lifetime.aborted) return on(await get());
    queue.push(on);
    // If the check cannot be loaded, the panel rejects the argument later, as an error of the page.
    const fault = how !== 'wait' && (await loadEarly().catch(() => undefined))?.findFault(call);
    if (fault) {
      queue = queue.filter((other) => other !== on);
      throw fault;
    }
    return undefined;
  };
  return {
    commands: createCommands(run, async (changes) => {
      lifetime.throwIfAborted();
      follow(changes);
      if (loaded) return loaded.update(changes);
      queue.push((conversation) => conversation.update(changes));
    }),
    get loaded() {
      return loaded;
    },
    get,
    destroy: async () => {
      loaded = null;
      (await loading?.catch(() => undefined))?.destroy();
    },
  };
}
