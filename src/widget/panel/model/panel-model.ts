import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { type Context, createContext, type VNode } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import type { Chat, Speaker } from '../../../client/index.ts';
import type { Texts } from '../../locales/follow-language.ts';
import type { WidgetOptions } from '../../options.ts';
import type { Terms } from '../load-terms.ts';
import type { Entries } from './create-entries.ts';
import type { LazyPart } from './lazy-part.ts';

/** `panel` is beside the launcher, `sheet` covers a small screen, `fullscreen` is the whole page or its place in it. */
export type PanelLayout = 'panel' | 'sheet' | 'fullscreen';

/** Code that most conversations never need, loaded on demand. */
export interface LazyParts {
  /** The menu of the header, and the confirmation before a chat ends. */
  readonly menu: LazyPart<typeof import('../../parts/menu/index.ts')>;
  /** Pictures, link cards and numbers to call. */
  readonly cards: LazyPart<typeof import('../../parts/cards/index.ts')>;
  /** Markdown in answers. */
  readonly markdown: LazyPart<typeof import('../../markdown/index.ts')>;
  /** Notices between messages, days, and the position in a queue. */
  readonly notices: LazyPart<typeof import('../../parts/notices/index.ts')>;
  /** The lines above the composer after the end. */
  readonly ended: LazyPart<typeof import('../../parts/ended/index.ts')>;
  /** Ratings of answers. */
  readonly feedback: LazyPart<typeof import('../../parts/feedback/index.ts')>;
  /** The request for an answer by email. */
  readonly contact: LazyPart<typeof import('../../parts/contact/index.ts')>;
  /** Business hours. */
  readonly hours: LazyPart<typeof import('../../parts/hours/index.ts')>;
  readonly survey: LazyPart<typeof import('../../parts/survey/index.ts')>;
  /** Exports: file, print and clipboard. */
  readonly save: LazyPart<typeof import('../../parts/save/index.ts')>;
  /** Sound and page title for a visitor who is elsewhere. */
  readonly notifications: LazyPart<typeof import('../../parts/notifications/index.ts')>;
  /** The stored data about the visitor. */
  readonly privacy: LazyPart<typeof import('../../parts/privacy/index.ts')>;
  /** The screen before a conversation, and earlier conversations. */
  readonly home: LazyPart<typeof import('../../parts/home/index.ts')>;
  /** Buttons of the composer that a site turns on. */
  readonly tools: LazyPart<typeof import('../../parts/tools/index.ts')>;
  /** Keys and scrolling through a long conversation, exact times, and print. */
  readonly history: LazyPart<typeof import('../../parts/history/index.ts')>;
}

/** State and actions that the components of one panel share. Not global, because a page may have two widgets. */
export interface PanelModel
  extends Entries,
    Pick<Texts, 'language' | 'strings' | 'partTexts' | 'locale' | 'direction'> {
  readonly chat: Chat;
  readonly options: ReadonlySignal<WidgetOptions>;
  /**
   * Time formats, created once per locale: one formatter costs more than formatting all times of a long conversation.
   * `null` until the browser is idle after the panel was first shown, because the first formatter takes over 20 ms.
   */
  readonly times: ReadonlySignal<Readonly<Record<'clock' | 'exact', Intl.DateTimeFormat>> | null>;
  /** Reading direction of the conversation's language. */
  readonly textDirection: ReadonlySignal<'ltr' | 'rtl'>;
  readonly layout: ReadonlySignal<PanelLayout>;
  readonly isOpen: ReadonlySignal<boolean>;
  /** The home screen replaces the conversation, which does not start before the screen is left. */
  readonly isAtHome: ReadonlySignal<boolean>;
  /** The conversation is in view: the panel is open, and not at its home screen. */
  readonly isChatShown: ReadonlySignal<boolean>;
  goHome(): void;
  /** Shows the conversation, and moves the focus to its composer. */
  leaveHome(): void;
  /** The overlay that is open. */
  readonly overlay: Signal<'none' | 'menu' | 'confirm_end'>;
  /** Renders what replaces the conversation; `null` for the conversation itself. */
  readonly screen: Signal<(() => VNode) | null>;
  /** The visitor opened the menu, and its code could not be loaded. */
  readonly isMenuMissing: ReadonlySignal<boolean>;
  /** Number of messages sent from this panel. The transcript scrolls to the new message when it changes. */
  readonly sendCount: Signal<number>;
  /** The visitor has chosen files, which are sent with the next message. */
  readonly hasFiles: Signal<boolean>;
  /**
   * The automated agent: the one that speaks, else the latest one; `null` before the first. Its name and picture stay while
   * the visitor waits for a person, after the end, and while a new chat begins.
   */
  readonly agent: ReadonlySignal<Speaker | null>;
  /** Returns a speaker's name; for `null`, the automated agent's. The site's name for its agent takes precedence. */
  nameOf(speaker: Speaker | null): string;
  /** The conversation has ended or expired; a new one can be started. */
  readonly isOver: ReadonlySignal<boolean>;
  /** When a chat that is closed outside the business hours opens; `null` while it is open. */
  readonly closedUntilMs: Signal<number | null>;
  /** The site's contact address; `null` when it is missing or unsafe. */
  readonly contactHref: ReadonlySignal<string | null>;
  /** Addresses of pictures of speakers that have been decoded, which are shown at once. */
  readonly decodedFaces: Set<string>;
  readonly parts: LazyParts;
  /** Consent and legal texts; `null` for none. */
  readonly terms: ReadonlySignal<Terms | null>;
  /** The visitor follows a link of the chat to another page, in this tab. */
  readonly isLeaving: Signal<boolean>;
  /** Sends a text; after the end of a chat it begins a new one. */
  send(text: string): void;
  open(): void;
  /** `returnFocus` moves the focus to the launcher. */
  close(returnFocus: boolean): void;
  focusComposer(): void;
}

/** Provides the model to all components of one panel. */
export const PanelContext: Context<PanelModel | null> = createContext<PanelModel | null>(null);

/** Returns the model of the panel that the calling component belongs to. Throws outside a panel. */
export function usePanel(): PanelModel {
  const model = useContext(PanelContext);
  if (!model) throw new Error('usePanel() needs a PanelContext.Provider around the component.');
  return model;
}

/** Loads a part when the calling component is on the page. Returns its code; `null` until it has loaded. */
export function useLazyPart<Code>({ load, code }: LazyPart<Code>): Code | null {
  useLayoutEffect(() => void load(), [load]);
  return code.value;
}
