import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { Chat } from '../../client/index.ts';
import type { PolicyLink, WidgetOptions } from '../options.ts';
import type { View } from '../view/index.ts';
import { createConsent } from './create-consent.ts';
import { Gate } from './gate.tsx';
import { type CheckedTexts, readSiteTexts, selectSiteTexts } from './read-site-texts.ts';
import { SmallPrint } from './small-print.tsx';
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
  /** Those of the site, in the version for the language. */
  readonly policyLinks: () => readonly PolicyLink[];
  /** What was wrong with the site's texts, for the doctor. */
  readonly problems: readonly string[];
  readonly css: string;
  readonly Gate: View;
  readonly SmallPrint: View<{ readonly isLong?: boolean }>;
  /** The options with the site's own texts in the version for the language. */
  localize(
    options: ReadonlySignal<WidgetOptions>,
    language: ReadonlySignal<string>,
  ): ReadonlySignal<WidgetOptions>;
  agree(): void;
}

/** Puts the terms before a client. Tells the console what is wrong with the site's texts. */
export function createTerms(client: Chat, given: WidgetOptions): Terms {
  const texts = readSiteTexts(given);
  for (const problem of texts.problems) console.warn(`natter: ${problem}`);
  const isOver = (): boolean => ['ended', 'expired'].includes(client.session.peek().status);
  const consent = createConsent({
    name: `natter:consent:${given.endpoint}:${given.connector ?? ''}`,
    isRequired: given.consent === true,
    hasConversation: client.hasStoredConversation,
    isRunning: () => !isOver(),
  });
  let isAfterChat = false;
  let own: ReadonlySignal<CheckedTexts> = computed(() => texts.usual);

  const chat: Chat = {
    ...client,
    async start() {
      await consent.given();
      await client.start();
    },
    async endChat() {
      if (await consent.isGiven()) await client.endChat();
    },
    async newChat() {
      if (!given.consent) return client.newChat();
      if (await consent.isGiven()) {
        await client.endChat();
        isAfterChat = true;
        consent.withdraw();
      }
      // The tab in which the visitor agrees begins the new one.
      return chat.start();
    },
    async logout() {
      if (!(await consent.isGiven())) return;
      await client.logout();
      consent.withdraw();
    },
    destroy() {
      client.destroy();
      consent.destroy();
    },
  };

  return {
    chat,
    isGated: computed(() => consent.status.value !== 'given'),
    isAsking: computed(() => consent.status.value === 'pending'),
    get isAfterChat() {
      return isAfterChat;
    },
    policyLinks: () => own.value.policyLinks ?? [],
    problems: texts.problems,
    css,
    Gate,
    SmallPrint,
    localize(options, language) {
      own = computed(() => selectSiteTexts(texts, language.value));
      return computed(() => ({ ...options.value, ...own.value }));
    },
    agree() {
      isAfterChat = false;
      if (isOver()) void client.newChat();
      consent.give();
    },
  };
}
