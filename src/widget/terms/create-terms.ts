import { computed, effect, type ReadonlySignal } from '@preact/signals-core';
import type { Chat } from '../../client/index.ts';
import type { WidgetOptions } from '../options.ts';
import { ConsentScreen } from './consent-screen.tsx';
import { createConsent } from './create-consent.ts';
import { gateChat } from './gate-chat.ts';
import { LegalNotice } from './legal-notice.tsx';
import { type CheckedTexts, readSiteTexts, selectSiteTexts } from './read-site-texts.ts';
import css from './terms.css?inline';

/** What a site has to say before and beside a conversation, and what the visitor has to agree to before it begins. */
export interface Terms {
  /** The client with the gate before it: nothing is asked of the network or the storage before the visitor agrees. */
  readonly chat: Chat;
  /** True where the gate stands in the place of the conversation. */
  readonly isGated: ReadonlySignal<boolean>;
  /** The visitor is being asked; before, the gate is there and still empty. */
  readonly isAsking: ReadonlySignal<boolean>;
  /** The gate has taken the place of a conversation that the visitor was in: the focus has to come along. */
  readonly isAfterChat: boolean;
  /** The site's own texts in the version for the language, within their limits. Follows the options. */
  readonly textsIn: (language: string) => CheckedTexts;
  /** What is wrong with the site's texts, for the doctor. */
  readonly problems: readonly string[];
  readonly css: string;
  readonly ConsentScreen: typeof ConsentScreen;
  readonly LegalNotice: typeof LegalNotice;
  agree(): void;
}

/**
 * Puts the terms before a client. The texts follow the options; whether the visitor is asked is settled here. Tells the
 * console what is wrong with the site's texts.
 */
export function createTerms(client: Chat, options: ReadonlySignal<WidgetOptions>): Terms {
  const given = options.peek();
  const texts = computed(() => readSiteTexts(options.value));
  const problems = computed(() => texts.value.problems.join('\n'));
  const stopWarning = effect(() => {
    for (const problem of problems.value.split('\n')) if (problem) console.warn(`natter: ${problem}`);
  });
  const isOver = (): boolean => ['ended', 'expired'].includes(client.session.peek().status);
  const consent = createConsent({
    name: `natter:consent:${given.endpoint}:${given.connector ?? ''}`,
    isRequired: given.consent === true,
    hasConversation: client.hasStoredConversation,
    isRunning: () => !isOver(),
  });
  let isAfterChat = false;

  const gated = gateChat(client, consent, given.consent === true, () => {
    isAfterChat = true;
  });

  return {
    chat: {
      ...gated,
      destroy() {
        gated.destroy();
        stopWarning();
      },
    },
    isGated: computed(() => consent.status.value !== 'given'),
    isAsking: computed(() => consent.status.value === 'pending'),
    get isAfterChat() {
      return isAfterChat;
    },
    textsIn: (language) => selectSiteTexts(texts.value, language),
    get problems() {
      return texts.peek().problems;
    },
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
