import { type GalleryState, press, talk } from './gallery-state.ts';

const SURVEY = {
  id: 'survey',
  title: 'Rate your chat',
  question: 'How would you rate your experience?',
  scale: 'faces',
  canComment: true,
} as const;

/** The rating that is asked for when a conversation is over. */
export const SURVEY_STATES: Readonly<Record<string, GalleryState>> = {
  survey: {
    build(chat) {
      talk(chat);
      chat.session.value = { status: 'ended', by: 'agent' };
      chat.survey.value = { ...SURVEY, status: 'open' };
    },
    sign: '.panel:has(.ended) .survey',
  },
  survey_stars: {
    build(chat) {
      talk(chat);
      chat.session.value = { status: 'ended', by: 'agent' };
      chat.survey.value = { ...SURVEY, scale: 'stars', status: 'open' };
      // The score is sent when the focus goes elsewhere, and the state would be gone.
      chat.answerSurvey = () => {};
    },
    after: (_, root) => press(root, '.survey-score:nth-child(4)'),
    sign: '.panel:has(.ended) .survey-comment',
  },
  survey_thanks: {
    build(chat) {
      talk(chat);
      chat.session.value = { status: 'ended', by: 'user' };
      chat.survey.value = { ...SURVEY, status: 'rated' };
    },
    sign: '.panel:has(.ended) .survey-thanks',
  },
};
