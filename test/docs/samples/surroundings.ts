import type { Sample } from './read-samples.ts';

/** Names in samples that belong to the reader's code, or to an earlier block of the page. */
const DECLARATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': { render: 'declare function render(messages: unknown): void;' },
  'docs/client.md': {
    createChatClient: "import { createChatClient } from 'natter/client';",
    myStorage:
      "declare const myStorage: NonNullable<NonNullable<import('natter/client').ChatClientOptions['ports']>['storage']>;",
    chat: "declare const chat: import('natter/client').ChatClient;",
  },
  'docs/own-view.md': {
    useComposer: "import { useComposer } from 'natter/react';",
    client: "declare const client: import('natter/client').ChatClient;",
  },
  'docs/embedding.md': {
    mount: "import { mount } from 'natter';",
    track: 'declare function track(text: string): void;',
    chat: "declare const chat: import('react').RefObject<import('natter').NatterWidget | null>;",
  },
  'server-token-proxy/README.md': {
    createTokenProxy: "import { createTokenProxy } from '@natter/token-proxy';",
    proxy: "declare const proxy: ReturnType<typeof import('@natter/token-proxy').createTokenProxy>;",
    app: "declare const app: import('hono').Hono<{ Bindings: import('@hono/node-server').HttpBindings }>;",
    token: 'declare const token: string;',
    ticketKey: 'declare const ticketKey: string;',
    options: "declare const options: Parameters<typeof import('@natter/token-proxy').createTokenProxy>[0];",
    bucket: 'declare const bucket: { put(key: string, body: ReadableStream, about: object): Promise<void> };',
    isClean: 'declare function isClean(key: string, signal: AbortSignal): Promise<boolean>;',
    experiments:
      'declare const experiments: { of(cookie: string | null, signal: AbortSignal): Promise<{ agent?: string }> };',
    crm: 'declare const crm: { rate(what: object): Promise<void> };',
    tickets: 'declare const tickets: { create(what: object): Promise<void> };',
    helpCentre:
      'interface Hit { id: string; title: string; url: string; summary: string; markdown: string }\n' +
      'declare const helpCentre: { search(text: string, about: object): Promise<Hit[]>; mostRead(about: object): Promise<Hit[]>; find(id: string, about: object): Promise<Hit | null> };',
    hasLogin: 'declare function hasLogin(cookie: string | null, signal: AbortSignal): Promise<boolean>;',
    RateLimiterRedis:
      'declare class RateLimiterRedis { constructor(options: object); consume(key: string): Promise<unknown>; }',
    storeClient: 'declare const storeClient: object;',
  },
};

/** Returns the sample as a module, with declarations of undeclared names. */
export function surround({ page, text }: Sample): string {
  const declarations = Object.entries(DECLARATIONS[page] ?? {})
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(text))
    .filter(([name]) => !new RegExp(`(?:const|import \\{[^}]*)\\s*\\b${name}\\b`).test(text))
    .map(([, declaration]) => declaration);
  return [...declarations, text, 'export {};\n'].join('\n');
}
