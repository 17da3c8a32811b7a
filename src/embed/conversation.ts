import { effect } from '@preact/signals-core';
import {
  type ChatClientOptions,
  createChatClient,
  type SendOutcome,
  type TranscriptItem,
} from '../client/index.ts';
import { mountPanel } from '../widget/index.ts';
import type { Launcher } from './launcher.ts';
import type { WidgetEmitter } from './widget-events.ts';
import { completeOptions, type WidgetOptions } from './widget-options.ts';

/** The part of a widget that loads when somebody is about to use it: the client and its panel. */
export interface Conversation {
  open(): void;
  close(): void;
  readonly isOpen: boolean;
  /** Connects without opening the panel, so that a running conversation can count what is unread. */
  resume(): Promise<void>;
  send(text: string): Promise<SendOutcome>;
  endChat(): Promise<void>;
  newChat(): Promise<void>;
  destroy(): void;
}

function clientOptions(options: WidgetOptions, emitter: WidgetEmitter): ChatClientOptions {
  const { endpoint, connector, platform = 'web' } = options;
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const isNarrow = matchMedia('(max-width: 480px)').matches;
  return {
    endpoint,
    ...(connector && { connector }),
    platform: platform === 'web' ? 'web' : `${platform}-web`,
    deviceType: isTouch ? (isNarrow ? 'mobile' : 'tablet') : 'desktop',
    // A page on a loopback host may use a proxy there; the client refuses plain schemes everywhere else (H-3).
    allowInsecure: endpoint.startsWith('http:'),
    onFrame: (frame) => emitter.emit('frame', frame),
  };
}

const isComplete = (item: TranscriptItem): boolean =>
  item.kind === 'user' ? item.delivery.status === 'sent' : item.kind === 'agent' && !item.isStreaming;

/** Sets up client and panel in `root`. Nothing connects before the panel opens or `resume` is called. */
export function createConversation(
  root: ShadowRoot,
  launcher: Launcher,
  emitter: WidgetEmitter,
  options: WidgetOptions,
): Conversation {
  const { renderMode, showHeader } = completeOptions(options);
  const client = createChatClient(clientOptions(options, emitter));
  const panel = mountPanel(root, client, { ...options, renderMode, showHeader });

  const told = new Set<string>();
  let wasOpen = false;
  const stops = [
    effect(() => {
      const isOpen = panel.isOpen.value;
      launcher.setOpen(isOpen);
      if (isOpen !== wasOpen) emitter.emit(isOpen ? 'open' : 'close', undefined);
      wasOpen = isOpen;
    }),
    effect(() => {
      launcher.setUnread(client.unread.value);
      emitter.emit('unread', client.unread.value);
    }),
    effect(() => emitter.emit('connection', client.connection.value)),
    effect(() => emitter.emit('session', client.session.value)),
    effect(() => {
      for (const { value: item } of client.messages.value) {
        if (item.kind === 'system' || told.has(item.key) || !isComplete(item)) continue;
        told.add(item.key);
        const author = item.kind === 'user' ? 'user' : item.speaker.kind;
        emitter.emit('message', { author, text: item.text });
      }
    }),
  ];

  return {
    open: () => panel.open(launcher.button),
    close: () => panel.close(),
    get isOpen() {
      return panel.isOpen.peek();
    },
    resume: () => client.start(),
    send: async (text) => {
      await client.start();
      return client.send(text);
    },
    endChat: () => client.endChat(),
    newChat: () => client.newChat(),
    destroy: () => {
      for (const stop of stops) stop();
      panel.destroy();
      client.destroy();
    },
  };
}
