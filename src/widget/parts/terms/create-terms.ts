import { computed, effect, type ReadonlySignal } from '@preact/signals-core';
import type { Chat, WidgetContextProvider } from '../../../client/index.ts';
import type { CustomMap } from '../../../protocol/index.ts';
import { hasFeature } from '../../has-feature.ts';
import type { WidgetOptions } from '../../options.ts';
import { ConsentScreen } from './consent-screen.tsx';
import { createConsent } from './create-consent.ts';
import { gateChat } from './gate-chat.ts';
import { LegalNotice } from './legal-notice.tsx';
import { readDetails } from './read-details.ts';
import { type CheckedTexts, readSiteTexts, selectSiteTexts } from './read-site-texts.ts';
import { createRewording, type RewordTexts } from './reword-texts.ts';
import { supplyMetadata } from './supply-metadata.ts';
import css from './terms.css?inline';

/** Consent and legal texts of a site, and the metadata about its visitors that it lets the widget send. */
export interface Terms {
  /** The client, which uses neither network nor storage before the visitor agrees. */
  readonly chat: Chat;
  /** True while the consent screen replaces the conversation. */
  readonly isGated: ReadonlySignal<boolean>;
  /** True while the visitor is asked. The consent screen is empty before. */
  readonly isAsking: ReadonlySignal<boolean>;
  /** True if the consent screen replaced a conversation, so that it has to take the focus. */
  readonly isAfterChat: boolean;
  /** Returns the site's checked texts in a language. Reads the options signal. */
  readonly textsIn: (language: string) => CheckedTexts;
  /** Replaces the widget's texts by the site's own wording. */
  readonly reword: RewordTexts;
  /** Problems of the site's texts, for diagnostics. */
  readonly problems: readonly string[];
  /** Adds metadata about the visitor to that of each join and message. */
  readonly addMetadata: (read: () => CustomMap) => void;
  readonly css: string;
  readonly ConsentScreen: typeof ConsentScreen;
  readonly LegalNotice: typeof LegalNotice;
  agree(): void;
}

/**
 * Creates the terms with a gated client. Texts follow later changes of the options, but `consent` does not. Logs problems
 * of the site's texts to the console.
 */
export function createTerms(
  client: Chat,
  options: ReadonlySignal<WidgetOptions>,
  page: WidgetContextProvider = {},
): Terms {
  const initial = options.peek();
  const addMetadata = supplyMetadata(page);
  addMetadata(() => (hasFeature(options.peek(), 'details') ? readDetails(options.peek().language) : {}));
  const texts = computed(() => readSiteTexts(options.value));
  const stopWarning = warnOfProblems(texts);
  const rewording = createRewording(options, warn);
  const isOver = (): boolean => ['ended', 'expired'].includes(client.session.peek().status);
  const consent = createConsent({
    name: `natter:consent:${initial.endpoint}:${initial.connector ?? ''}`,
    isRequired: initial.consent === true,
    hasConversation: client.hasStoredConversation,
    isRunning: () => !isOver(),
  });
  let isAfterChat = false;
  const gated = gateChat(client, consent, initial.consent === true, () => {
    isAfterChat = true;
  });

  return {
    chat: withLogoutOfPast(gated, options, stopWarning),
    isGated: computed(() => consent.status.value !== 'given'),
    isAsking: computed(() => consent.status.value === 'pending'),
    get isAfterChat() {
      return isAfterChat;
    },
    textsIn: (language) => selectSiteTexts(texts.value, language),
    reword: rewording.reword,
    get problems() {
      return [...texts.peek().problems, ...rewording.problems];
    },
    addMetadata,
    css,
    ConsentScreen,
    LegalNotice,
    agree() {
      isAfterChat = false;
      if (isOver()) void client.newChat();
      consent.give();
    },
  };
}

const warn = (problem: string): void => console.warn(`natter: ${problem}`);

/** Logs the problems of the site's texts each time that they change. Returns a function that stops it. */
function warnOfProblems(texts: ReadonlySignal<{ readonly problems: readonly string[] }>): () => void {
  const problems = computed(() => texts.value.problems.join('\n'));
  return effect(() => {
    for (const problem of problems.value.split('\n')) if (problem) warn(problem);
  });
}

/** Returns a chat whose logout also deletes copies of conversations, including those from an earlier consent. */
function withLogoutOfPast(chat: Chat, options: ReadonlySignal<WidgetOptions>, onDestroy: () => void): Chat {
  return {
    ...chat,
    async logout() {
      await chat.logout();
      if (hasFeature(options.peek(), 'history')) await (await chat.services()).past.forget();
    },
    destroy() {
      chat.destroy();
      onDestroy();
    },
  };
}
