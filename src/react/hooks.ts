import {
  type Context,
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { type ChatHooks, type ChatValues, type Composer, createHooks } from '../bindings/index.ts';
import type { ChatClient, ChatClientOptions, TranscriptItem } from '../client/index.ts';

const ClientContext: Context<ChatClient | null> = /* @__PURE__ */ createContext<ChatClient | null>(null);

/** Properties of `<ChatProvider>`. */
export interface ChatProviderProps {
  /** Created by `createChatClient` or `useChatClient`. The provider neither starts nor destroys it. */
  readonly client: ChatClient;
  readonly children?: ReactNode;
}

/** Provides a client to all hooks and components below it. */
export const ChatProvider = ({ client, children }: ChatProviderProps): ReactElement =>
  createElement(ClientContext.Provider, { value: client }, children);

// Each hook is a separate function, so that bundlers omit hooks and client from apps that only render the widget.
const hooks: ChatHooks = /* @__PURE__ */ createHooks({
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  useProvidedClient: () => useContext(ClientContext),
});

/**
 * Creates a client that lives as long as the component: created and destroyed with it, but not started. The options are
 * read once; for other options give the component another `key`. A client for the whole app needs no hook: call
 * `createChatClient` outside of components.
 */
export const useChatClient = (options: ChatClientOptions): ChatClient => hooks.useChatClient(options);

/**
 * Returns the whole state and the commands of the given client, else of the nearest `<ChatProvider>`. The component
 * renders again with every change; the commands stay the same functions. On a server, and while a page hydrates, the
 * state is that of a client which has not started.
 *
 * @example
 * const { messages, connection, typing, start, send } = useChat();
 */
export const useChat = (client?: ChatClient): ChatValues => hooks.useChat(client);

/** Returns the entries of the transcript in display order. The component renders again only when these change. */
export const useMessages = (client?: ChatClient): readonly TranscriptItem[] => hooks.useMessages(client);

/** Returns the visitor's draft, the actions on it, and the handlers for field and form. */
export const useComposer = (client?: ChatClient): Composer => hooks.useComposer(client);
