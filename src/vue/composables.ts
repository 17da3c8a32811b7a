import {
  type ComputedRef,
  computed,
  getCurrentInstance,
  type InjectionKey,
  inject,
  onMounted,
  onScopeDispose,
  provide,
  type ShallowRef,
  shallowRef,
  type WritableComputedRef,
} from 'vue';
import {
  type Composer,
  type ComposerActions,
  createComposerActions,
  requireClient,
  selectIsOver,
  selectMessages,
  selectText,
} from '../bindings/index.ts';
import {
  type ChatClient,
  type ChatClientOptions,
  type ChatSnapshot,
  type ChatState,
  createChatClient,
  type TranscriptItem,
} from '../client/index.ts';

/** A client with its state as refs instead of signals: `messages`, `typing`, … and `send`, `start`, … */
export type ChatRefs = {
  readonly [Name in keyof ChatSnapshot]: ComputedRef<ChatSnapshot[Name]>;
} & Omit<ChatClient, keyof ChatState>;

/** A composer whose values are refs; use `text` with `v-model`. */
export type ComposerRefs = ComposerActions & {
  readonly [Name in 'canSend' | 'isDisabled']: ComputedRef<Composer[Name]>;
} & { readonly text: WritableComputedRef<string> };

const CLIENT: InjectionKey<ChatClient> = Symbol('natter');

/** Creates a client that lives as long as the component or the effect scope, and does not start it. */
export function useChatClient(options: ChatClientOptions): ChatClient {
  const client = createChatClient(options);
  onScopeDispose(client.destroy);
  return client;
}

/** Provides a client to the composables of all components below the caller. Neither starts nor destroys it. */
export function provideChat(client: ChatClient): void {
  provide(CLIENT, client);
}

const useClient = (given: ChatClient | undefined): ChatClient =>
  requireClient(given ?? inject(CLIENT, null), 'provideChat(client) in a component around this one');

/**
 * Returns the client's snapshot, until the scope is disposed of. On a server it never changes, because no scope ends
 * there.
 */
function useSnapshot(client: ChatClient): Readonly<ShallowRef<ChatSnapshot>> {
  // A component that hydrates has its element before it is set up.
  const isHydrating = Boolean(getCurrentInstance()?.vnode.el);
  const isPage = typeof window !== 'undefined';
  const snapshot = shallowRef(isPage && !isHydrating ? client.getSnapshot() : client.getInitialSnapshot());
  const follow = (): void => {
    snapshot.value = client.getSnapshot();
  };
  if (isHydrating) onMounted(follow);
  if (isPage) onScopeDispose(client.subscribe(follow));
  return snapshot;
}

/**
 * Returns the whole state, as refs, and the commands of the given client, else of `provideChat` in a component above.
 * On a server, and while a page hydrates, the state is that of a client which has not started.
 *
 * @example
 * const { messages, connection, typing, start, send } = useChat();
 */
export function useChat(client?: ChatClient): ChatRefs {
  const own = useClient(client);
  const snapshot = useSnapshot(own);
  const names = Object.keys(snapshot.value) as readonly (keyof ChatSnapshot)[];
  const refs = Object.fromEntries(names.map((name) => [name, computed(() => snapshot.value[name])]));
  // Every name of the snapshot has a ref, which replaces the signal of that name.
  return { ...own, ...refs } as unknown as ChatRefs;
}

/** Returns the entries of the transcript in display order. */
export function useMessages(client?: ChatClient): ComputedRef<readonly TranscriptItem[]> {
  const snapshot = useSnapshot(useClient(client));
  return computed(() => selectMessages(snapshot.value));
}

/** Returns the visitor's draft, the actions on it, and the handlers for field and form. */
export function useComposer(client?: ChatClient): ComposerRefs {
  const own = useClient(client);
  const snapshot = useSnapshot(own);
  const actions = createComposerActions(own);
  const text = computed({ get: () => selectText(snapshot.value), set: actions.setText });
  const isDisabled = computed(() => selectIsOver(snapshot.value));
  return {
    ...actions,
    text,
    isDisabled,
    canSend: computed(() => !isDisabled.value && text.value.trim() !== ''),
  };
}
