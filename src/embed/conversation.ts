import { effect, signal } from '@preact/signals-core';
import {
  type ChatClientOptions,
  type ContextHandler,
  createChatClient,
  isUrlAllowed,
  type PageContext,
  type PageFacts,
  type PageUser,
  resolveEndpoint,
  retryImport,
  type SendOutcome,
} from '../client/index.ts';
import {
  afterPaint,
  createPanel,
  type EmitWidgetEvent,
  type LoadedTexts,
  loadFirstTexts,
  loadTerms,
  type MakeTerms,
  onMessageComplete,
  pageDocument,
  readText,
  type Terms,
} from '../widget/index.ts';
import type { LauncherAnimation } from './animate-launcher.ts';
import type { BubbleOptions } from './bubble.ts';
import { type MakeReplaceable, makeChangeable, type Replaceable } from './changeable-conversation.ts';
import type { NatterWidget } from './create-widget.ts';
import type { DoctorReport } from './doctor.ts';
import { createLauncherStatus } from './launcher-status.ts';
import { createPrefill } from './prefill.ts';
import { openTabMemory } from './tab-memory.ts';
import type { WidgetEmitter } from './widget-events.ts';
import type { WidgetChanges, WidgetOptions } from './widget-options.ts';

/** What a page can tell the chat to do. Waits for the panel where it has not loaded yet. */
export interface WidgetCommands {
  /** Opens the panel and leaves the focus where it is. */
  open(): Promise<void>;
  close(): Promise<void>;
  /** What a click on the launcher does. */
  toggle(): Promise<void>;
  /** Sends as if the visitor had written it. */
  send(text: string): Promise<SendOutcome>;
  /** Ends the conversation for good. */
  endChat(): Promise<void>;
  /** Leaves an ended conversation behind and starts another. */
  newChat(): Promise<void>;
  /** Ends the conversation, forgets it here and at the proxy, and closes the panel. */
  logout(): Promise<void>;
  /**
   * Says who the visitor is; the agent is told with the next message, unchecked. A conversation of another user ends, is
   * forgotten here and at the proxy, and another begins. Null is `logout`. Rejects where the facts are too many or too long.
   */
  identify(user: PageUser | null): Promise<void>;
  /** Facts of the page for the agent, unchecked, in place of those before. Rejects where they are too many or too long. Source: MET-2. */
  setContext(facts: PageFacts): Promise<void>;
  /**
   * Sets the handler that gets a signed token from your backend before the agent is asked in. The last one counts. What became
   * of it is told by the `context` event. Source: VCI-2 to VCI-7.
   */
  onContextRequired(handler: ContextHandler): Promise<void>;
  /** Runs that handler again for the running conversation. Source: VCI-8. */
  refreshVerifiedContext(): Promise<void>;
  /**
   * Puts a text into the composer, for the visitor to send. It replaces the text of an earlier call that the visitor left as it
   * was. Where the visitor has typed something else, their words stay and nothing happens. An empty text takes it back.
   */
  prefill(text: string): Promise<void>;
  /**
   * Changes options; undefined restores a default, missing options stay. All but `endpoint`, `connector`, `platform`,
   * `consent` and `allowInsecure` change in place. Those set the chat up anew, with the words that the visitor has typed and open
   * if it was. Resolves when the change is shown; rejects when a part for it cannot be loaded.
   */
  update(changes: WidgetChanges): Promise<void>;
  setTheme(theme: 'light' | 'dark' | 'auto'): Promise<void>;
  /**
   * Shows the widget in another language; one that there are no texts for is passed over. Resolves when the texts are
   * shown, or when they did not load, of which the `error` event tells. The conversation's own language
   * goes before it.
   */
  setLanguage(tag: string): Promise<void>;
  /** Shows a text beside the launcher; a click on it opens the chat. An empty text takes it away. */
  showBubble(bubble: string | BubbleOptions): Promise<void>;
  /** Moves the launcher for a moment, unless the visitor asked for less motion. */
  animateLauncher(animation?: LauncherAnimation): Promise<void>;
  /** Checks the page, the network and the servers, and describes the faults. */
  doctor(): Promise<DoctorReport>;
}

/** The client and its panel, which load when the visitor is about to use them. */
export interface Conversation extends WidgetCommands, Pick<NatterWidget, 'isOpen' | 'unread'> {
  /** With `true`, what a click does that came before there was anything to see: it closes nothing. */
  toggle(mustOpen?: boolean): Promise<void>;
  /** Connects without opening the panel where a conversation is running, so that unread messages are counted. */
  resume(): Promise<void>;
  destroy(): void;
}

function clientOptions(options: WidgetOptions, emitter: WidgetEmitter): ChatClientOptions {
  const { endpoint, connector, platform = '' } = options;
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const isNarrow = matchMedia('(max-width: 480px)').matches;
  return {
    endpoint,
    connector: connector || undefined,
    platform: platform === 'ios' || platform === 'android' ? `${platform}-web` : 'web',
    deviceType: isTouch ? (isNarrow ? 'mobile' : 'tablet') : 'desktop',
    // A plain scheme is deliberate; the client accepts it on loopback hosts only (H-3).
    allowInsecure: options.allowInsecure ?? endpoint.startsWith('http:'),
    onError: ({ code, message }) => emitter.emit('error', { code, message }),
    onFrame: (frame) => emitter.emit('frame', frame),
  };
}

/** Makes a conversation and draws its panel, closed. */
export type MakeConversation = (
  root: ShadowRoot,
  button: HTMLButtonElement,
  emitter: WidgetEmitter,
) => Conversation;

/**
 * Fetches the texts that the panel begins with. Rejects when there are none to be had. Of an endpoint that is none no
 * client can be made, only a report.
 */
export async function prepareConversation(given: WidgetOptions): Promise<MakeConversation> {
  // As they are now: who gave them may go on to change them.
  const options = { ...given, endpoint: resolveEndpoint(`${given.endpoint}`) };
  return makeChangeable(options, await prepare(options), prepare);
}

async function prepare(options: WidgetOptions): Promise<MakeReplaceable> {
  if (!isUrlAllowed(options.endpoint, true))
    return (await retryImport(() => import('./refuse-endpoint.ts'))).refuseEndpoint(options);
  const [texts, makeTerms, inline] = await Promise.all([
    loadFirstTexts(options, navigator.languages),
    loadTerms(options),
    options.renderMode === 'inline' && retryImport(() => import('./inline.ts')),
  ]);
  return (...parts) => createConversation(...parts, options, texts, makeTerms, inline);
}

/** Sets up client and panel in `root`. Nothing connects before the panel opens or `resume` is called. */
function createConversation(
  root: ShadowRoot,
  button: HTMLButtonElement,
  emitter: WidgetEmitter,
  given: WidgetOptions,
  texts: LoadedTexts,
  makeTerms: MakeTerms | null,
  inline: false | typeof import('./inline.ts'),
): Replaceable {
  /** Most pages never say anything about their visitor, so what takes it in loads late and is filled in then. */
  const words: Partial<PageContext> = {};
  const memory = openTabMemory(given);
  /** How an earlier page of this tab was left. */
  const before = memory.read();
  const open = createChatClient({ ...clientOptions(given, emitter), page: words, unread: before.unread });
  const options = signal(given);
  const terms = signal<Terms | null>(makeTerms?.(open, options) ?? null);
  const { emit } = emitter;
  const client = terms.peek()?.chat ?? open;
  let loadingWords: Promise<unknown> | undefined;
  const say =
    (name: 'identify' | 'setContext' | 'onContextRequired' | 'refreshVerifiedContext') =>
    async (value?: unknown): Promise<void> => {
      loadingWords ??= retryImport(() => import('./page-context.ts')).then(({ createContext }) =>
        Object.assign(words, createContext(client, emitter)),
      );
      await loadingWords;
      await (words[name] as (value: unknown) => unknown)(value);
    };
  const identify = say('identify');
  /** Waits for earlier calls of the page, so that no visitor sees the conversation of another. */
  const start = async (): Promise<void> => {
    await loadingWords;
    await client.start();
  };
  let opener: HTMLElement | null = null;
  const panel = createPanel({
    root,
    chat: client,
    options,
    texts,
    terms,
    // Computed, it is one of the two.
    pageDirection: getComputedStyle(pageDocument.documentElement).direction as 'ltr' | 'rtl',
    // The panel's events are among the widget's; the compiler does not follow that through a generic name.
    emit: emit as EmitWidgetEvent,
    onToggle: (isOpen, returnFocus) => {
      if (isOpen) {
        opener = pageDocument.activeElement as HTMLElement | null;
        // Nothing connects before the panel opens, and the visitor sees the panel before that. Faults show in the client's
        // own state. A panel that is closed again by then belongs to a visitor who may have logged out.
        afterPaint(() => !isDestroyed && panel.isOpen.peek() && start().catch(reportError));
      }
      // A page without the launcher has a button of its own.
      if (returnFocus) (button.hidden ? opener : button)?.focus({ preventScroll: true });
    },
  });
  const status = createLauncherStatus(root, button, () => panel.open(true));
  let leavePage = inline ? inline.standInPage(root) : null;
  let isDestroyed = false;

  /** Fetches what new options need, then shows them. */
  async function show(next: WidgetOptions): Promise<void> {
    options.value = next;
    const isInline = next.renderMode === 'inline';
    if (!isInline) {
      leavePage?.();
      leavePage = null;
    }
    const [makeLate, late] = await Promise.all([
      !terms.peek() && loadTerms(next),
      isInline && !leavePage && retryImport(() => import('./inline.ts')),
    ]);
    if (isDestroyed) return;
    if (late && options.peek().renderMode === 'inline') leavePage ??= late.standInPage(root);
    if (makeLate) terms.value = makeLate(open, options);
    await panel.texts.settle();
  }

  /** The panel is as the visitor or the page wants it here, and no longer as an earlier page left it. */
  const isSettled = signal(!before.isOpen);
  /** The number of unread messages is that of the conversation. */
  const isCounted = signal(before.unread === 0);

  const stops = [
    effect(() => {
      const { status } = client.session.value;
      if (panel.isOpen.value) isSettled.value = true;
      const isKnown = !['unknown', 'restored'].includes(status);
      if (isKnown) isCounted.value = true;
      // Before consent nothing is kept. Until the conversation of the page before is there, its visitor has agreed to it.
      const isAgreed = !terms.value?.isGated.value || (before.isOpen && !isKnown);
      // An open panel begins a conversation: the next page begins none after an end.
      const isLasting = status !== 'ended' && status !== 'expired' && isAgreed;
      memory.write({
        isOpen: isSettled.value ? panel.isOpen.value && isLasting : before.isOpen,
        unread: isCounted.value ? client.unread.value : before.unread,
      });
    }),
    effect(() => status.show(panel.isOpen.value, client.unread.value, panel.texts)),
    effect(() => emit('unread', { count: client.unread.value })),
    effect(() => emit('connection', client.connection.value)),
    effect(() => {
      const session = client.session.value;
      emit('session', session);
      if (session.status === 'ended') emit('end', { by: session.by });
      if (session.status === 'expired') emit('end', { by: 'inactivity' });
    }),
    onMessageComplete(client, (items, isRestored) => {
      // A restored history is not new, and thousands of events would take long.
      for (const item of isRestored ? [] : items) {
        if (item.kind !== 'agent') continue;
        emit('message', { text: item.text, from: item.speaker.kind });
        // Read messages were shown before, by this page or another.
        const isNews = client.unread.peek() > 0 && !panel.isOpen.peek() && !button.hidden;
        const bubble = { text: readText(item.text), from: item.speaker.name ?? '' };
        if (isNews) status.showBubble(bubble).catch(reportError);
      }
    }),
    status.destroy,
    panel.destroy,
    client.destroy,
  ];

  /** The next page begins with a closed panel and nothing unread. */
  const forgetPage = (): void => {
    isSettled.value = true;
    isCounted.value = true;
  };
  const logout = (): Promise<void> => {
    forgetPage();
    panel.close(false);
    return client.logout();
  };

  emit('ready', undefined);
  return {
    open: async () => panel.open(false),
    close: async () => {
      isSettled.value = true;
      panel.close(false);
    },
    toggle: async (mustOpen) => {
      if (panel.isOpen.peek() && !mustOpen) panel.close(true);
      else panel.open(true);
    },
    // No consent is asked for again, because a stored conversation implies it.
    resume: async () => {
      // The focus stays where the page has it.
      if (before.isOpen && !isSettled.peek()) panel.open(false);
      else if (await client.hasStoredConversation()) await start();
      else isCounted.value = true;
    },
    send: async (text) => {
      await start();
      return client.send(text);
    },
    endChat: client.endChat,
    newChat: client.newChat,
    logout,
    identify: (user) => {
      // At once: who opens the chat while the rest of it is under way opens the next user's.
      if (user === null) {
        forgetPage();
        panel.close(false);
      }
      return identify(user);
    },
    setContext: say('setContext'),
    onContextRequired: say('onContextRequired'),
    refreshVerifiedContext: say('refreshVerifiedContext'),
    prefill: createPrefill(client),
    show,
    look: () => ({
      isOpen: panel.isOpen.peek(),
      unread: client.unread.peek(),
      hasStarted: client.connection.peek().status !== 'idle',
      words: client.unsent.peek(),
      hasFocus: root.activeElement?.matches('.field') === true,
    }),
    take({ isOpen, hasStarted, words, hasFocus }) {
      if (words) client.setUnsent(words);
      if (isOpen) panel.open(hasFocus);
      else if (hasStarted) start().catch(reportError);
    },
    showBubble: status.showBubble,
    animateLauncher: status.animate,
    doctor: async () =>
      (await retryImport(() => import('./doctor.ts'))).examine({
        options: options.peek(),
        chat: client,
        textProblems: terms.peek()?.problems,
        eventNames: emitter.names,
      }),
    destroy: () => {
      isDestroyed = true;
      leavePage?.();
      for (const stop of stops) stop();
      memory.write({ isOpen: false, unread: 0 });
      words.destroy?.();
    },
  };
}
