import {
  type ChatClient,
  type ChatClientOptions,
  type ChatSnapshot,
  createChatClient,
  type TranscriptItem,
} from '../client/index.ts';
import { type ChatValues, toChatValues } from './chat-values.ts';
import { type Composer, createComposerActions } from './composer.ts';
import { requireClient } from './require-client.ts';
import { selectIsOver, selectMessages, selectText } from './select-values.ts';

/** The hooks of React or Preact that our hooks are built on. */
export interface HookRuntime {
  useEffect(effect: () => (() => void) | undefined, dependencies: readonly unknown[]): void;
  useMemo<Value>(make: () => Value, dependencies: readonly unknown[]): Value;
  useState<Value>(make: () => Value): [Value, (next: Value) => void];
  useSyncExternalStore<Value>(
    subscribe: (listener: () => void) => () => void,
    getSnapshot: () => Value,
    getServerSnapshot: () => Value,
  ): Value;
  /** Returns the client of the nearest `<ChatProvider>`; `null` without one. */
  useProvidedClient(): ChatClient | null;
}

/**
 * The hooks as a framework's module exports them. Each uses the given client, else that of the nearest
 * `<ChatProvider>`.
 */
export interface ChatHooks {
  useChatClient(options: ChatClientOptions): ChatClient;
  useChat(client?: ChatClient): ChatValues;
  useMessages(client?: ChatClient): readonly TranscriptItem[];
  useComposer(client?: ChatClient): Composer;
}

interface ClientInstance {
  readonly client: ChatClient;
  isDestroyed: boolean;
}

const PROVIDER = '<ChatProvider client={client}> around the component';
const selectAll = (snapshot: ChatSnapshot): ChatSnapshot => snapshot;

function useClient({ useProvidedClient }: HookRuntime, given: ChatClient | undefined): ChatClient {
  const provided = useProvidedClient();
  return requireClient(given ?? provided, PROVIDER);
}

/** Returns a part of the state. The component renders again only when that part changes. */
function useSelected<Value>(
  { useMemo, useSyncExternalStore }: HookRuntime,
  client: ChatClient,
  select: (snapshot: ChatSnapshot) => Value,
): Value {
  const [get, getInitial] = useMemo(
    () => [() => select(client.getSnapshot()), () => select(client.getInitialSnapshot())] as const,
    [client, select],
  );
  return useSyncExternalStore(client.subscribe, get, getInitial);
}

/** Creates the hooks for React or Preact. */
export function createHooks(runtime: HookRuntime): ChatHooks {
  const { useEffect, useMemo, useState } = runtime;
  return {
    useChatClient(options) {
      const start = (): ClientInstance => ({ client: createChatClient(options), isDestroyed: false });
      const [instance, setInstance] = useState(start);
      useEffect(() => {
        // Strict mode, and a part of the page that is hidden and shown again, run the cleanup and then the effect
        // again.
        if (instance.isDestroyed) {
          setInstance(start());
          return undefined;
        }
        return () => {
          instance.isDestroyed = true;
          instance.client.destroy();
        };
      }, [instance]);
      return instance.client;
    },
    useChat(given) {
      const client = useClient(runtime, given);
      const snapshot = useSelected(runtime, client, selectAll);
      return useMemo(() => toChatValues(client, snapshot), [client, snapshot]);
    },
    useMessages(given) {
      return useSelected(runtime, useClient(runtime, given), selectMessages);
    },
    useComposer(given) {
      const client = useClient(runtime, given);
      const text = useSelected(runtime, client, selectText);
      const isDisabled = useSelected(runtime, client, selectIsOver);
      const actions = useMemo(() => createComposerActions(client), [client]);
      return { ...actions, text, isDisabled, canSend: !isDisabled && text.trim() !== '' };
    },
  };
}
