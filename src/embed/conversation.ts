import {
  type ContextHandler,
  isUrlAllowed,
  type PageFacts,
  type PageUser,
  resolveEndpoint,
  retryImport,
  type SendOutcome,
} from '../client/index.ts';
import { loadFirstTexts, loadTerms, type WidgetChanges, type WidgetOptions } from '../widget/index.ts';
import type { LauncherAnimation } from './animate-launcher.ts';
import type { BubbleOptions } from './bubble.ts';
import { type MakeReplaceable, makeChangeable } from './changeable-conversation.ts';
import type { NatterWidget } from './create-widget.ts';
import type { DoctorReport } from './doctor.ts';
import { WidgetConversation } from './widget-conversation.ts';
import type { WidgetEmitter } from './widget-events.ts';

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
  /** It is connected, or on its way. */
  readonly hasStarted: boolean;
  /** With `true`, what a click does that came before there was anything to see: it closes nothing. */
  toggle(mustOpen?: boolean): Promise<void>;
  /** Connects without opening the panel where a conversation is running, so that unread messages are counted. */
  resume(): Promise<void>;
  destroy(): void;
}

/** Makes a conversation and draws its panel, closed. */
export type MakeConversation = (
  root: ShadowRoot,
  button: HTMLButtonElement,
  emitter: WidgetEmitter,
) => Conversation;

/**
 * Fetches the first texts of the panel. Rejects if they cannot be loaded. For an invalid endpoint it returns a stub that
 * reports it, because no client can be created.
 */
export async function prepareConversation(given: WidgetOptions): Promise<MakeConversation> {
  // A copy, because the caller may change its object later.
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
  return (...parts) => new WidgetConversation(...parts, { options, texts, makeTerms, inline });
}
