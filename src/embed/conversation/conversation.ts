import { isUrlAllowed, resolveEndpoint, retryImport } from '../../client/index.ts';
import { loadFirstTexts, loadTerms, type WidgetOptions } from '../../widget/index.ts';
import type { Commands } from '../commands.ts';
import type { NatterWidget } from '../create-widget.ts';
import type { Presence } from '../page/presence.ts';
import type { WidgetEmitter } from '../widget-events.ts';
import { type MakeReplaceable, makeChangeable } from './changeable-conversation.ts';
import { WidgetConversation } from './widget-conversation.ts';

/** The client and its panel, which load when the visitor is about to use them. */
export interface Conversation extends Commands, Pick<NatterWidget, 'isOpen' | 'unread'> {
  /** The conversation is connected or connecting. */
  readonly hasStarted: boolean;
  /** The site's name for its agent in the language of the panel; `undefined` if it has none. */
  readonly agentName: string | undefined;
  /**
   * Connects to a stored conversation, so that unread messages are counted. Opens the panel only if an earlier page of
   * the tab left it open.
   */
  resume(): Promise<void>;
  /** Recreates client and panel, with the same draft and visible state. */
  remake(): Promise<void>;
  destroy(): void;
}

/** Makes a conversation and draws its panel, closed. */
export type MakeConversation = (
  root: ShadowRoot,
  button: HTMLButtonElement,
  emitter: WidgetEmitter,
  /** Left out for an element that is part of the page's content. */
  presence?: Presence,
) => Conversation;

/**
 * Fetches the first texts of the panel. Rejects if they cannot be loaded. For an invalid endpoint it returns a stub that
 * reports it, because no client can be created.
 */
export async function prepareConversation(initialOptions: WidgetOptions): Promise<MakeConversation> {
  // A copy, because the caller may change its object later.
  const options = { ...initialOptions, endpoint: resolveEndpoint(`${initialOptions.endpoint}`) };
  return makeChangeable(options, await prepare(options), prepare);
}

async function prepare(options: WidgetOptions): Promise<MakeReplaceable> {
  if (!isUrlAllowed(options.endpoint, true))
    return (await retryImport(() => import('./invalid-endpoint-stub.ts'))).createInvalidEndpointStub(options);
  const [texts, makeTerms, inline] = await Promise.all([
    loadFirstTexts(options, navigator.languages),
    loadTerms(options),
    options.renderMode === 'inline' && retryImport(() => import('../page/mount-inline.ts')),
  ]);
  return (root, button, emitter, presence) =>
    new WidgetConversation(root, button, emitter, { options, texts, makeTerms, inline, presence });
}
