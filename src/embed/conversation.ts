import { effect, signal } from '@preact/signals-core';
import { type ChatClientOptions, createChatClient, type SendOutcome } from '../client/index.ts';
import { createPanel, type EmitWidgetEvent } from '../widget/index.ts';
import type { Launcher } from './launcher.ts';
import type { WidgetEmitter } from './widget-events.ts';
import type { WidgetOptions } from './widget-options.ts';

/** The part of a widget that loads when somebody is about to use it: the client and its panel. */
export interface Conversation {
  /** `takeFocus` only when the visitor asked for it with a click or a key. */
  open(takeFocus: boolean): void;
  /** `returnFocus` puts the focus back on the launcher. */
  close(returnFocus: boolean): void;
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
    // Whoever writes a plain scheme means it; the client accepts it on loopback hosts only (H-3).
    allowInsecure: options.allowInsecure ?? endpoint.startsWith('http:'),
    onFrame: (frame) => emitter.emit('frame', frame),
  };
}

/** Sets up client and panel in `root`. Nothing connects before the panel opens or `resume` is called. */
export function createConversation(
  root: ShadowRoot,
  launcher: Launcher,
  emitter: WidgetEmitter,
  options: WidgetOptions,
): Conversation {
  const client = createChatClient(clientOptions(options, emitter));
  // The panel's events are among the widget's; the compiler does not follow that through a generic name.
  const emitPanelEvent = emitter.emit.bind(emitter) as EmitWidgetEvent;
  const panel = createPanel({
    root,
    chat: client,
    options: signal(options),
    pageDirection: getComputedStyle(document.documentElement).direction === 'rtl' ? 'rtl' : 'ltr',
    emit: emitPanelEvent,
    onToggle: (isOpen, returnFocus) => {
      launcher.setOpen(isOpen);
      if (returnFocus) launcher.button.focus({ preventScroll: true });
      // Nothing connects before somebody looks. Faults show in the client's own state.
      if (isOpen) void client.start();
    },
  });

  const told = new Set<string>();
  const stops = [
    effect(() => {
      launcher.setUnread(client.unread.value);
      emitter.emit('unread', { count: client.unread.value });
    }),
    effect(() => emitter.emit('connection', client.connection.value)),
    effect(() => {
      const session = client.session.value;
      emitter.emit('session', session);
      if (session.status === 'ended') emitter.emit('end', { by: session.by });
      if (session.status === 'expired') emitter.emit('end', { by: 'inactivity' });
    }),
    effect(() => {
      for (const { value: item } of client.messages.value) {
        if (item.kind !== 'agent' || item.isStreaming || told.has(item.key)) continue;
        told.add(item.key);
        emitter.emit('message', { text: item.text, from: item.speaker.kind });
      }
    }),
  ];

  emitter.emit('ready', undefined);
  return {
    open: (takeFocus) => panel.open(takeFocus),
    close: (returnFocus) => panel.close(returnFocus),
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
