import { ADA, MAREN } from '../../test/widget/fake-chat.ts';
import { ATTACHMENT_STATES } from './attachment-states.ts';
import { type GalleryState, GREETING, greet, press, talk } from './gallery-state.ts';
import { HOME_STATES } from './home-states.ts';
import { PRIVACY_STATES } from './privacy-states.ts';
import { ARABIC_ANSWER, card, LISTS_AND_QUOTES, LONG_ANSWER } from './samples.ts';
import { SURVEY_STATES } from './survey-states.ts';
import { TERMS_STATES } from './terms-states.ts';
import { TOOL_STATES } from './tool-states.ts';

const STARTERS = ['When does the next ferry to Skarø leave?', 'Can I bring my dog?', 'Change a booking'];
export const STATES: Readonly<Record<string, GalleryState>> = {
  theme: {
    build(chat) {
      chat.asks('Can I bring my dog?');
      chat.says(
        'Yes, dogs travel **free**. They may stay:\n\n- on the open deck\n- in the [pet lounge](https://example.com/pets), deck 5',
      );
      chat.suggestions.value = [{ text: 'Add my dog' }, { text: 'Something else' }];
    },
  },
  empty: { build: () => {}, options: { welcome: 'Ahoy! Where would you like to go?' } },
  greeting: {
    build(chat) {
      greet(chat);
      chat.suggestions.value = STARTERS.map((text) => ({ text }));
    },
    options: { disclaimer: 'Ada is an automated agent and can be wrong. Chats are kept for 30 days.' },
  },
  conversation: {
    build(chat) {
      talk(chat);
      chat.asks('Great, thanks!');
      chat.asks('And when do I have to be there?');
    },
  },
  typing: {
    build(chat) {
      talk(chat);
      chat.asks('And when do I have to be there?');
      chat.typing.value = { speaker: ADA };
    },
    sign: '.typing',
  },
  streaming: {
    build(chat) {
      greet(chat);
      chat.asks('What does it cost for two adults and a car?');
      chat.says(
        'For two adults and a car up to 2 m high, one way:\n\n| Route | Standard | Flexible |\n|---|--:|--:|\n| Hafn – Skarø | €64 | €78 |\n| Hafn – Lund | €92 | €118 |\n\nThe **flexible** fare can be changed until',
        { isStreaming: true },
      );
    },
  },
  stopping: {
    build(chat) {
      greet(chat);
      chat.asks('How do refunds work?');
      chat.says('A flexible fare is refunded in full until an hour before the', { isStreaming: true });
      chat.canStopAnswer.value = true;
    },
    sign: '.send[type=button]',
  },
  stopped: {
    build(chat) {
      greet(chat);
      chat.asks('How do refunds work?');
      chat.says('A flexible fare is refunded in full until an hour before the', { isStopped: true });
    },
  },
  away: {
    build: talk,
    options: { hours: 'Mo 00:00-00:01', hoursTimeZone: 'UTC' },
    sign: '.hours',
  },
  contact: {
    build(chat) {
      talk(chat);
      chat.canRequestContact.value = true;
      chat.asks('Can I talk to a person?');
      chat.notes({ code: 'handoff_failed' });
    },
    after: (_, root) => press(root, '.contact > button'),
    options: { features: ['contact'] },
    sign: '.contact-form',
  },
  proactive: {
    build: () => {},
    bubble: {
      from: 'Ada',
      text: 'Travelling with a dog or a bicycle this summer? I can tell you where they may stay, and what they cost.',
    },
  },
  closed: {
    build: greet,
    options: {
      hours: 'Mo 00:00-00:01',
      hoursTimeZone: 'UTC',
      outsideHours: 'closed',
      contactUrl: 'https://example.com/contact',
    },
    sign: '.closed-line',
  },
  feedback: {
    build(chat) {
      talk(chat);
      chat.canGiveFeedback.value = true;
    },
    options: { features: ['feedback'] },
    sign: '.feedback',
  },
  feedback_reason: {
    build(chat) {
      talk(chat);
      chat.canGiveFeedback.value = true;
    },
    after: (_, root) => press(root, '.group:last-of-type .thumb:last-of-type'),
    options: { features: ['feedback'] },
    sign: '.reason',
  },
  reading: {
    build(chat) {
      greet(chat);
      chat.asks('How do refunds work?');
      chat.says(LONG_ANSWER, { isStreaming: true });
    },
  },
  markdown: {
    build(chat) {
      chat.asks('Show me everything you can write.');
      chat.says(LONG_ANSWER);
    },
  },
  markdown_more: {
    build(chat) {
      chat.says(LISTS_AND_QUOTES);
    },
  },
  markdown_end: {
    build(chat) {
      chat.says(LONG_ANSWER);
    },
    after(_, root) {
      requestAnimationFrame(() => root.querySelector('.viewport')?.scrollTo({ top: 1e6 }));
    },
  },
  queue: {
    build(chat) {
      chat.notes({ code: 'agent_joined', name: ADA.name });
      greet(chat);
      chat.asks('I would like to talk to somebody, please.');
      chat.says('Of course. I’ll find someone for you.');
      chat.notes({ code: 'handoff_started' });
      chat.speaker.value = null;
      chat.notes({ code: 'handoff_accepted', queueName: 'Bookings' });
      chat.queue.value = { queueName: 'Bookings', position: 3, estimatedWaitSeconds: 240, message: null };
      chat.canCancelHandoff.value = true;
    },
    sign: '.handoff .button',
  },
  live: {
    build(chat) {
      greet(chat);
      chat.asks('I would like to talk to somebody, please.');
      chat.notes({ code: 'live_agent_joined', name: 'Maren Voss' });
      chat.speaker.value = MAREN;
      chat.says('Hi, this is Maren. I can see your booking for Saturday.');
      chat.says('Shall I move you to the 16:45?');
      chat.asks('Yes please');
      chat.typing.value = { speaker: MAREN };
    },
    sign: '.typing',
  },
  pasted: {
    build(chat) {
      greet(chat);
      chat.asks('We would like to bring our car, two bicycles and the dog.\n'.repeat(13).trim());
    },
    sign: '.unfold',
  },
  failed: {
    build(chat) {
      greet(chat);
      chat.asks('Is the 18:00 sailing still on time?', {
        status: 'failed',
        reason: 'no_answer',
        isRetryable: true,
      });
      chat.asks('I ask because the wind is picking up and '.repeat(3), {
        status: 'failed',
        reason: 'too_long',
        isRetryable: false,
      });
      chat.asks('Hello?', { status: 'pending' });
    },
    sign: '.delivery:not(.danger) > .icon',
  },
  offline: {
    build(chat) {
      greet(chat);
      chat.asks('Can I take my bicycle on the 14:30 to Skarø?', { status: 'queued' });
      chat.connection.value = { status: 'reconnecting', attempt: 1, nextAttemptAtMs: null, offline: true };
    },
    sign: '.banner',
  },
  reconnecting: {
    build(chat) {
      talk(chat);
      chat.connection.value = {
        status: 'reconnecting',
        attempt: 3,
        nextAttemptAtMs: Date.now() + 9_000,
        offline: false,
      };
    },
    sign: '.banner',
  },
  turns: {
    build(chat) {
      talk(chat);
      chat.connection.value = { status: 'open', isTurnBased: true };
    },
    sign: '.banner',
  },
  unavailable: {
    build(chat) {
      chat.connection.value = { status: 'failed', reason: 'service_unavailable' };
    },
    sign: '.banner',
  },
  trouble: {
    build(chat) {
      greet(chat);
      chat.asks('Hi');
      chat.notes({
        code: 'platform_message',
        level: 'error',
        text: 'Sorry, I’m having trouble responding right now. Please try again.',
      });
      chat.notes({ code: 'idle_warning', secondsRemaining: 60 });
    },
    sign: '.trouble',
  },
  ended: {
    build(chat) {
      talk(chat);
      chat.session.value = { status: 'ended', by: 'agent' };
    },
    sign: '.ended',
  },
  menu: {
    build: greet,
    after(_, root) {
      requestAnimationFrame(() => root.querySelector<HTMLElement>('.menu-anchor button')?.click());
    },
    sign: '.menu',
  },
  exact_time: {
    build: talk,
    after: (_, root) => {
      press(root, '.visitor .time');
      press(root, '.group:last-child .time');
    },
    sign: '.tools .time[aria-expanded=true]',
  },
  confirm: {
    build: greet,
    after(_, root) {
      press(root, '.menu-anchor button');
      press(root, '.menu-list > [role=menuitem]:last-child');
    },
    sign: '.choice',
  },
  writing: {
    build: greet,
    after(_, root) {
      const field = root.querySelector('textarea');
      if (!field) return;
      field.value =
        'Hello Ada,\nI booked the ferry on Saturday for two adults and a car, but now we are three and would like to bring two bicycles.\n\nCan I change that here?\n\nThanks';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      field.focus();
    },
  },
  history: {
    build(chat) {
      const dayMs = 86_400_000;
      chat.says(GREETING, { atMs: Date.now() - 3 * dayMs });
      chat.asks('Do you sail at Easter?', { status: 'sent' }, Date.now() - 3 * dayMs + 60_000);
      chat.says('Yes, to the Sunday timetable.', { atMs: Date.now() - dayMs });
      chat.asks('Thank you', { status: 'sent' }, Date.now() - 1_000);
    },
    sign: '.day',
  },
  ...ATTACHMENT_STATES,
  ...SURVEY_STATES,
  ...TERMS_STATES,
  ...TOOL_STATES,
  ...PRIVACY_STATES,
  ...HOME_STATES,
  rtl: {
    build(chat) {
      chat.language.value = 'ar';
      chat.speaker.value = { ...ADA, name: 'آدا' };
      chat.says('مرحبًا! كيف يمكنني مساعدتك؟');
      chat.asks('متى تغادر العبارة القادمة؟');
      chat.says(ARABIC_ANSWER, {
        attachments: [card('https://example.com/t', 'جدول الرحلات')],
      });
      chat.suggestions.value = [{ text: 'احجز الآن' }, { text: 'هل يمكنني إحضار كلبي؟' }];
    },
    options: { agentName: 'آدا' },
  },
};
