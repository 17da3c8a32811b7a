import type { WidgetChanges } from '../../widget/index.ts';
import { type Call, type Commands, createCommands } from '../commands.ts';
import type { Conversation } from './conversation.ts';

/** Fetches what some pages need before the panel has loaded: the check of what a page says, and proactive messages. */
export type LoadEarly = () => Promise<typeof import('../loader/early.ts')>;

/** A conversation that is loaded by the first command that needs it. Commands before that wait for it, in their order. */
export interface LazyConversation {
  readonly commands: Commands;
  /** Null until it has loaded, and after `destroy`. */
  readonly loaded: Conversation | null;
  /** Rejects when it cannot be loaded, and after `destroy`. */
  get(): Promise<Conversation>;
  /** To be called when its life is over. Resolves when nothing is left of it. */
  destroy(): Promise<void>;
}

/**
 * Makes one that is not loaded yet, for as long as `life` is not aborted. `follow` shows changes of options without the panel,
 * which may not be there.
 */
export function createLazyConversation(
  load: () => Promise<Conversation>,
  loadEarly: LoadEarly,
  follow: (changes: WidgetChanges) => void,
  life: AbortSignal,
): LazyConversation {
  let loading: Promise<Conversation> | null = null;
  let loaded: Conversation | null = null;
  let queue: ((conversation: Conversation) => unknown)[] = [];
  const get = async (): Promise<Conversation> => {
    life.throwIfAborted();
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
  const run = async (call: Call): Promise<unknown> => {
    const { how, on } = call;
    if (loaded || how === 'load' || life.aborted) return on(await get());
    queue.push(on);
    // Without the check, the panel refuses the argument later, as an error of the page.
    const fault = how !== 'wait' && (await loadEarly().catch(() => undefined))?.findFault(call);
    if (fault) {
      queue = queue.filter((other) => other !== on);
      throw fault;
    }
    return undefined;
  };
  return {
    commands: createCommands(run, async (changes) => {
      life.throwIfAborted();
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
