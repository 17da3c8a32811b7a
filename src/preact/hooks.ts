import { type ComponentChildren, type Context, createContext, createElement } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { type ChatHooks, type ChatValues, type Composer, createHooks } from '../bindings/index.ts';
import type { ChatClient, ChatClientOptions, TranscriptItem } from '../client/index.ts';
import { useSyncExternalStore } from './use-sync-external-store.ts';

const ClientContext: Context<ChatClient | null> = /* @__PURE__ */ createContext<ChatClient | null>(null);

/** Properties of `<ChatProvider>`. */
export interface ChatProviderProps {
  /** Created by `createChatClient` or `useChatClient`. The provider neither starts nor destroys it. */
  readonly client: ChatClient;
  readonly children?: ComponentChildren;
}

/** Provides a client to all hooks below it. */
export const ChatProvider = ({ client, children }: ChatProviderProps): ComponentChildren =>
  createElement(ClientContext.Provider, { value: client }, children);

// Each hook is a separate function, so that bundlers omit hooks and client from apps that only render the widget.
const hooks: ChatHooks = /* @__PURE__ */ createHooks({
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  useProvidedClient: () => useContext(ClientContext),
});

/** Creates a client that lives as long as the component, and does not start it. The options are read once. */
export const useChatClient = (options: ChatClientOptions): ChatClient => hooks.useChatClient(options);

/**
 * Returns the whole state and the commands of the given client, else of the nearest `<ChatProvider>`. The component
 * renders again with every change. With `@preact/signals`, the client's own signals render less.
 *
 * @example
 * const { messages, connection, typing, start, send } = useChat();
 */
export const useChat = (client?: ChatClient): ChatValues => hooks.useChat(client);

/** Returns the entries of the transcript in display order. The component renders again only when these change. */
export const useMessages = (client?: ChatClient): readonly TranscriptItem[] => hooks.useMessages(client);

/** Returns the visitor's draft, the actions on it, and the handlers for field and form. */
export const useComposer = (client?: ChatClient): Composer => hooks.useComposer(client);
