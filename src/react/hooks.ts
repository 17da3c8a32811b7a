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
  /** Made by `createChatClient` or `useChatClient`. The provider neither starts nor destroys it. */
  readonly client: ChatClient;
  readonly children?: ReactNode;
}

/** Gives a client to all hooks and parts below it. */
export const ChatProvider = ({ client, children }: ChatProviderProps): ReactElement =>
  createElement(ClientContext.Provider, { value: client }, children);

// Each hook is a separate function, so that bundlers leave hooks and client out of apps that draw the widget only.
const hooks: ChatHooks = /* @__PURE__ */ createHooks({
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  useProvidedClient: () => useContext(ClientContext),
});

/**
 * A client that lives as long as the component: made with it, destroyed with it, and not started. The options are read once; for
 * others give the component another `key`. A client for the whole app needs no hook: `createChatClient` outside of components.
 */
export const useChatClient = (options: ChatClientOptions): ChatClient => hooks.useChatClient(options);

/**
 * The whole state and the commands of the client that is given, or else of the nearest `<ChatProvider>`. Draws the component
 * again with every change; the commands stay the same functions. On a server, and while a page hydrates, the state is that of a
 * client which has not started.
 *
 * @example
 * const { messages, connection, typing, start, send } = useChat();
 */
export const useChat = (client?: ChatClient): ChatValues => hooks.useChat(client);

/** The entries of the transcript in display order. Draws the component again only when these change. */
export const useMessages = (client?: ChatClient): readonly TranscriptItem[] => hooks.useMessages(client);

/** The text that the visitor writes, what can be done with it, and the handlers for field and form. */
export const useComposer = (client?: ChatClient): Composer => hooks.useComposer(client);
