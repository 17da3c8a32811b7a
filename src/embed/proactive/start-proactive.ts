import type { ProactiveRule, WidgetChanges } from '../../widget/index.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { LazyConversation } from '../conversation/lazy-conversation.ts';
import type { LauncherSettings } from '../create-widget.ts';
import type { WidgetEmitter } from '../widget-events.ts';
import { browserPage } from './browser-page.ts';
import { type ProactiveMemory, proactiveMemory } from './proactive-memory.ts';
import { readRules } from './read-rules.ts';
import { type WatchedPage, watchPage } from './watch-page.ts';

/** The running watch of each widget. */
const watches = new WeakMap<LazyConversation, AbortController>();

/**
 * Watches the page for the rules of `settings`, which replace earlier ones, and shows the message of the first rule
 * that is met. Shows one message per tab session, none that was dismissed, and none beside a conversation. Throws a
 * `TypeError` for invalid rules, and then watches none. Stops with the widget.
 */
export function startProactive(
  chat: LazyConversation,
  button: HTMLElement,
  settings: LauncherSettings,
  { signal: life }: Pick<WidgetEmitter, 'signal'>,
  page: WatchedPage = browserPage,
  memory: ProactiveMemory = proactiveMemory,
): void {
  watches.get(chat)?.abort();
  const { proactive } = settings;
  if (!proactive || life.aborted) return;
  const rules = readRules(proactive).filter(({ id }) => !memory.isDismissed(id));
  const shown = memory.shown();
  const earlier = rules.find(({ id }) => id === shown?.id);
  // A page later: the conversation still begins with it.
  if (earlier) beginWith(chat, textOf(earlier, shown?.language), life);
  if (rules.length === 0 || shown !== null) return;
  const watch = new AbortController();
  watches.set(chat, watch);
  life.addEventListener('abort', () => watch.abort(), { signal: watch.signal });

  // With `consent`, a message may only come after the visitor has agreed, which happens in the conversation.
  const isAllowed = (): boolean => `${settings.consent}` !== 'true' && !button.hidden;
  const isTalking = (): boolean => chat.loaded?.isOpen === true || chat.loaded?.hasStarted === true;
  let isLoading = false;
  const offer = async (rule: ProactiveRule): Promise<void> => {
    const { id, from: name } = rule;
    if (isLoading || !isAllowed()) return;
    isLoading = true;
    let conversation: Conversation;
    try {
      conversation = await chat.get();
    } catch {
      // The panel cannot be loaded now. The visitor has not asked for it, and the next event tries again.
      return;
    } finally {
      isLoading = false;
    }
    if (watch.signal.aborted || !isAllowed()) return;
    watch.abort();
    // Another tab may have dismissed it meanwhile, and another widget of the page may have shown its own.
    if (isTalking() || memory.isDismissed(id) || memory.shown() !== null) return;
    // The panel, which has loaded, is in the visitor's language.
    const language = button.parentNode?.querySelector<HTMLElement>('.frame')?.lang ?? '';
    const text = textOf(rule, language);
    memory.noteShown(id, language);
    const takeBack = beginWith(chat, text, life);
    const from = name ?? conversation.agentName;
    await chat.commands.showBubble({
      text,
      ...(from && { from }),
      onDismiss() {
        memory.noteDismissed(id);
        takeBack();
      },
    });
  };
  const needsVisits = rules.some(({ visits }) => visits !== undefined);
  const visits = needsVisits && isAllowed() ? memory.countVisit() : 1;
  watchPage(page, rules, visits, watch.signal, (rule) => void offer(rule).catch(reportError));
}

/** The rule's text in a language, or in another variant of it, else the one for all. */
function textOf({ text, texts = {} }: ProactiveRule, language = ''): string {
  const base = (tag: string): string => tag.toLowerCase().replace(/-.*/, '');
  const tags = Object.keys(texts);
  const tag = tags.find((each) => each === language) ?? tags.find((each) => base(each) === base(language));
  return (tag && texts[tag]) || text;
}

/** Begins the chat with a message, in place of the greeting. Returns the function that ends that. */
function beginWith(chat: LazyConversation, text: string, life: AbortSignal): () => void {
  const show = (changes: WidgetChanges & { readonly opening: string | undefined }): void =>
    void chat.commands.update(changes).catch((error: unknown) => {
      // A destroyed widget rejects; that is no error.
      if (!life.aborted) reportError(error);
    });
  show({ opening: text });
  return () => show({ opening: undefined });
}
