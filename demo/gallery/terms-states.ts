import { type GalleryState, greet } from './gallery-state.ts';

const LONG_DISCLAIMER =
  'This chat is answered by an automated agent. It can make mistakes, so please check important facts such as departure times on the timetable. Conversations are stored for 30 days to improve our service. Do not send card numbers, passwords or facts about your health. By going on you agree that we process what you write, and that our providers in the European Union do so on our behalf. You may have your conversation deleted at any time: see our privacy notice for your rights.';
const POLICIES = [
  { label: 'Privacy notice', url: 'https://example.com/privacy' },
  { label: 'Terms of use', url: 'https://example.com/terms' },
  { label: 'How we use automated agents', url: 'https://example.com/agents' },
];

/** A site's terms and consent, before and during a conversation. */
export const TERMS_STATES: Readonly<Record<string, GalleryState>> = {
  disclaimer: {
    build: greet,
    options: { disclaimer: LONG_DISCLAIMER, policyLinks: POLICIES },
  },
  consent: {
    build: () => {},
    options: {
      consent: true,
      welcome: 'Ahoy! Where would you like to go?',
      disclaimer: 'Ada is an automated agent and can be wrong. Chats are kept for 30 days.',
      localized: {
        de: {
          welcome: 'Ahoi! Wohin soll es gehen?',
          disclaimer:
            'Ada ist ein automatischer Assistent und kann sich irren. Chats werden 30 Tage aufbewahrt.',
        },
        ar: {
          welcome: 'أهلاً! إلى أين تود السفر؟',
          disclaimer: 'آدا مساعد آلي وقد تخطئ. تُحفظ المحادثات لمدة 30 يومًا.',
        },
      },
    },
  },
  consent_policies: {
    build: () => {},
    options: { consent: true, disclaimer: LONG_DISCLAIMER, policyLinks: POLICIES },
  },
  policies: {
    build: greet,
    options: {
      disclaimer: 'Ada is an automated agent and can be wrong. Chats are kept for 30 days.',
      policyLinks: POLICIES,
    },
  },
};
