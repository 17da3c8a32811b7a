import { type ComponentChildren, type Context, createContext, createElement } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { type ChatHooks, type ChatValues, type Composer, createHooks } from '../bindings/index.ts';
import type { ChatClient, ChatClientOptions, TranscriptItem } from '../client/index.ts';
import { useSyncExternalStore } from './use-sync-external-store.ts';

const ClientContext: Context<ChatClient | null> = /* @__PURE__ */ createContext<ChatClient | null>(null);

/** Properties of `<ChatProvider>`. */
export interface ChatProviderProps {
  /** Made by `createChatClient` or `useChatClient`. The provider neither starts nor destroys it. */
  readonly client: ChatClient;
  readonly children?: ComponentChildren;
}

/** Gives a client to all hooks below it. */
export const ChatProvider = ({ client, children }: ChatProviderProps): ComponentChildren =>
  createElement(ClientContext.Provider, { value: client }, children);

// Each hook is a separate function, so that bundlers leave hooks and client out of apps that draw the widget only.
const hooks: ChatHooks = /* @__PURE__ */ createHooks({
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  useProvidedClient: () => useContext(ClientContext),
});

/** A client that lives as long as the component, and is not started. The options are read once. */
export const useChatClient = (options: ChatClientOptions): ChatClient => hooks.useChatClient(options);

/**
 * The whole state and the commands of the client that is given, or else of the nearest `<ChatProvider>`. Draws the component
 * again with every change; the client's own signals draw less, where you use `@preact/signals`.
 *
 * @example
 * const { messages, connection, typing, start, send } = useChat();
 */
export const useChat = (client?: ChatClient): ChatValues => hooks.useChat(client);

/** The entries of the transcript in display order. Draws the component again only when these change. */
export const useMessages = (client?: ChatClient): readonly TranscriptItem[] => hooks.useMessages(client);

/** The text that the visitor writes, what can be done with it, and the handlers for field and form. */
export const useComposer = (client?: ChatClient): Composer => hooks.useComposer(client);
