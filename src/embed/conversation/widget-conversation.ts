import { effect, type Signal, signal } from '@preact/signals-core';
import {
  type Chat,
  type ChatClient,
  type ContextHandler,
  createChatClient,
  type PageFacts,
  type PageUser,
  retryImport,
  type SendOutcome,
} from '../../client/index.ts';
import {
  afterPaint,
  createPanel,
  type EmitWidgetEvent,
  isAlwaysOpen,
  type LoadedTexts,
  loadTerms,
  type MakeTerms,
  type Panel,
  pageDocument,
  type Terms,
  type WidgetOptions,
} from '../../widget/index.ts';
import type { DoctorReport } from '../doctor/doctor.ts';
import type { LauncherAnimation } from '../launcher/animate-launcher.ts';
import type { BubbleOptions } from '../launcher/bubble.ts';
import { createLauncherStatus, type LauncherStatus } from '../launcher/launcher-status.ts';
import type { Presence } from '../page/presence.ts';
import { stayInView } from '../page/stay-in-view.ts';
import type { WidgetEmitter } from '../widget-events.ts';
import type { Replaceable, VisitorState } from './changeable-conversation.ts';
import { clientOptions } from './client-options.ts';
import { emitChatEvents } from './emit-chat-events.ts';
import { LazyPageContext } from './lazy-page-context.ts';
import type { WidgetContext } from './page-context.ts';
import { createPrefill } from './prefill.ts';
import { openTabMemory } from './tab-memory.ts';
import { TabView } from './tab-view.ts';

/** Options of a conversation, and the resources fetched for them. */
export interface ConversationStart {
  readonly options: WidgetOptions;
  readonly texts: LoadedTexts;
  readonly makeTerms: MakeTerms | null;
  readonly inline: false | typeof import('../page/mount-inline.ts');
  readonly presence: Presence | undefined;
}

const NOT_SEEN = 'The chat cannot be seen. See `doctor()`.';

/** One client and its panel. Nothing connects before the panel opens or `resume` is called. */
export class WidgetConversation implements Replaceable {
  readonly #root: ShadowRoot;
  readonly #button: HTMLButtonElement;
  readonly #emitter: WidgetEmitter;
  readonly #presence: Presence | undefined;
  readonly #options: Signal<WidgetOptions>;
  /** Consent and legal texts; `null` for none. */
  readonly #terms: Signal<Terms | null>;
  readonly #client: ChatClient;
  /** The client, gated until the visitor consents if the site asks for it. */
  readonly #chat: Chat;
  readonly #panel: Panel;
  readonly #status: LauncherStatus;
  readonly #view: TabView;
  readonly #pageContext = new LazyPageContext();
  readonly #prefill: (text: string) => Promise<void>;
  readonly #stops: readonly (() => void)[];
  /** The element that had the focus when the panel opened. */
  #opener: HTMLElement | null = null;
  /** Moves an inline widget back over the page; `null` if the widget is not inline. */
  #leavePage: (() => void) | null;
  readonly #lifetime = new AbortController();
  #isDestroyed = false;

  constructor(root: ShadowRoot, button: HTMLButtonElement, emitter: WidgetEmitter, start: ConversationStart) {
    const { options, texts, makeTerms, inline, presence } = start;
    const memory = openTabMemory(options);
    const before = memory.read();
    this.#root = root;
    this.#button = button;
    this.#emitter = emitter;
    this.#presence = presence;
    this.#options = signal(options);
    const page = this.#pageContext.context;
    this.#client = createChatClient({ ...clientOptions(options, emitter), page, unread: before.unread });
    this.#terms = signal(makeTerms?.(this.#client, this.#options, page) ?? null);
    const chat = this.#terms.peek()?.chat ?? this.#client;
    this.#chat = chat;
    this.#prefill = createPrefill(chat);
    this.#panel = createPanel({
      root,
      chat,
      options: this.#options,
      texts,
      terms: this.#terms,
      // The computed value is always one of these two.
      pageDirection: getComputedStyle(pageDocument.documentElement).direction as 'ltr' | 'rtl',
      // The panel's events are among the widget's; the compiler does not follow that through a generic name.
      emit: emitter.emit as EmitWidgetEvent,
      onToggle: (isOpen, returnFocus) => this.#onToggle(isOpen, returnFocus),
    });
    const { isOpen, texts: shownTexts } = this.#panel;
    this.#status = createLauncherStatus(root, button, () => this.#panel.open(true));
    this.#leavePage = inline ? inline.mountInline(root) : null;
    const isGated = () => this.#terms.value?.isGated.value === true;
    this.#view = new TabView({ memory, before, chat, isOpen, isGated });
    this.#stops = [
      effect(() => this.#status.show(isOpen.value, chat.unread.value, shownTexts)),
      effect(() => this.#startWhenShown()),
      ...emitChatEvents(chat, emitter, (text, from) => this.#onAnswer(text, from)),
      this.#status.destroy,
      this.#panel.destroy,
      chat.destroy,
    ];
    const frame = root.querySelector('.frame');
    if (frame) stayInView(root.host as HTMLElement, frame, this.#lifetime.signal);
    emitter.emit('ready', undefined);
  }

  get agentName(): string | undefined {
    return this.#panel.agentName;
  }

  async open(): Promise<void> {
    this.#presence?.putBack();
    const { host } = this.#root;
    // A chat that is always open may be in a part of the page that the site shows later.
    const isSeen = isAlwaysOpen(this.#options.peek()) ? host.isConnected : host.checkVisibility();
    if (!isSeen) throw new Error(NOT_SEEN);
    this.#panel.open(false);
  }

  async close(): Promise<void> {
    this.#view.settle();
    this.#panel.close(false);
  }

  async toggle(mustOpen?: boolean): Promise<void> {
    if (this.#panel.isOpen.peek() && !mustOpen) this.#panel.close(true);
    else this.#panel.open(true);
  }

  // No consent is asked for again, because a stored conversation implies it.
  async resume(): Promise<void> {
    // The focus stays where the page has it.
    if (this.#view.isLeftOpen) this.#panel.open(false);
    else if (await this.#chat.hasStoredConversation()) await this.#start();
    else this.#view.noteCounted();
  }

  async send(text: string): Promise<SendOutcome> {
    await this.#start();
    return this.#chat.send(text);
  }

  endChat(): Promise<void> {
    return this.#chat.endChat();
  }

  async newChat(): Promise<void> {
    await this.#pageContext.settle();
    await this.#chat.newChat();
  }

  logout(): Promise<void> {
    this.#forgetVisitor();
    return this.#chat.logout();
  }

  identify(user: PageUser | null): Promise<void> {
    // At once, because the rest takes time: a visitor who opens the chat meanwhile opens a new one.
    if (user === null) this.#forgetVisitor();
    return this.#withContext((context) => context.identify(user));
  }

  setContext(facts: PageFacts): Promise<void> {
    return this.#withContext((context) => context.setContext(facts));
  }

  onContextRequired(handler: ContextHandler): Promise<void> {
    return this.#withContext((context) => context.onContextRequired(handler));
  }

  refreshVerifiedContext(): Promise<void> {
    return this.#withContext((context) => context.refreshVerifiedContext());
  }

  prefill(text: string): Promise<void> {
    return this.#prefill(text);
  }

  showBubble(bubble: string | BubbleOptions): Promise<void> {
    return this.#status.showBubble(bubble);
  }

  animateLauncher(animation?: LauncherAnimation): Promise<void> {
    return this.#status.animate(animation);
  }

  async doctor(): Promise<DoctorReport> {
    return (await retryImport(() => import('../doctor/doctor.ts'))).diagnose({
      options: this.#options.peek(),
      chat: this.#chat,
      textProblems: this.#terms.peek()?.problems,
      eventNames: this.#emitter.names,
      removals: this.#presence?.removals,
    });
  }

  /** Fetches what new options need, then shows them. */
  async show(next: WidgetOptions): Promise<void> {
    this.#options.value = next;
    const isInline = next.renderMode === 'inline';
    if (!isInline) {
      this.#leavePage?.();
      this.#leavePage = null;
    }
    const [makeTerms, inline] = await Promise.all([
      !this.#terms.peek() && loadTerms(next),
      isInline && !this.#leavePage && retryImport(() => import('../page/mount-inline.ts')),
    ]);
    if (this.#isDestroyed) return;
    if (inline && this.#options.peek().renderMode === 'inline')
      this.#leavePage ??= inline.mountInline(this.#root);
    if (makeTerms) this.#terms.value = makeTerms(this.#client, this.#options, this.#pageContext.context);
    await this.#panel.texts.settle();
  }

  capture(): VisitorState {
    return {
      isOpen: this.#panel.isOpen.peek(),
      unread: this.#chat.unread.peek(),
      hasStarted: this.#chat.connection.peek().status !== 'idle',
      draft: this.#chat.unsent.peek(),
      hasFocus: this.#root.activeElement?.matches('.field') === true,
    };
  }

  restore({ isOpen, hasStarted, draft, hasFocus }: VisitorState): void {
    if (draft) this.#chat.setUnsent(draft);
    if (isOpen) this.#panel.open(hasFocus);
    else if (hasStarted) this.#start().catch(reportError);
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#lifetime.abort();
    this.#leavePage?.();
    this.#view.stop();
    for (const stop of this.#stops) stop();
    this.#view.clear();
    this.#pageContext.destroy();
  }

  /** Waits for earlier calls of the page, such as `identify`, so that the conversation is that of the right visitor. */
  async #start(): Promise<void> {
    await this.#pageContext.settle();
    await this.#chat.start();
  }

  /**
   * Connects when the conversation has been painted. Failures are part of the client's state. Does nothing if the panel
   * was closed meanwhile, because its visitor may have logged out.
   */
  #startWhenShown(): void {
    const { isChatShown } = this.#panel;
    if (!isChatShown.value) return;
    afterPaint(() => {
      if (!this.#isDestroyed && isChatShown.peek()) this.#start().catch(reportError);
    });
  }

  #withContext(command: (context: WidgetContext) => unknown): Promise<void> {
    return this.#pageContext.run(this.#chat, this.#emitter, command);
  }

  #forgetVisitor(): void {
    this.#view.settle();
    this.#view.noteCounted();
    this.#panel.close(false);
  }

  #onToggle(isOpen: boolean, returnFocus: boolean): void {
    if (isOpen) this.#opener = pageDocument.activeElement as HTMLElement | null;
    // A page without the launcher has its own button.
    if (returnFocus) (this.#button.hidden ? this.#opener : this.#button)?.focus({ preventScroll: true });
  }

  async #showAnswer(text: string, from: string): Promise<void> {
    await this.#status.showBubble({ text: await this.#panel.readText(text), from });
  }

  /**
   * Shows a bubble for an answer that arrived while the panel was closed. Without unread messages, this tab or another
   * has already shown it.
   */
  #onAnswer(text: string, from: string): void {
    const isNews = this.#chat.unread.peek() > 0 && !this.#panel.isOpen.peek() && !this.#button.hidden;
    if (isNews) this.#showAnswer(text, from).catch(reportError);
  }
}
