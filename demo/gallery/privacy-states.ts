import { FAKE_SERVICES } from '../../test/widget/fake-chat.ts';
import { type GalleryState, press, talk } from './gallery-state.ts';

const show = (root: ShadowRoot): void => {
  press(root, '.menu-anchor button');
  press(root, '.menu-list > .privacy-item');
};

/** The screen with the visitor's data. */
export const PRIVACY_STATES: Readonly<Record<string, GalleryState>> = {
  privacy: {
    build(chat) {
      talk(chat);
      chat.services = async () => ({
        ...FAKE_SERVICES,
        readVisitorData: async () => ({
          platform: {
            status: 'read',
            data: {
              created_at: '2026-07-14T09:20:00Z',
              retention_days: { conversations: 30 },
              events: ['a', 'b', 'c', 'd'].map((id) => ({ payload: { message_id: id } })),
              verified_context: { booking: 'KF-1234' },
            },
          },
          browser: { hasTicket: true, undelivered: [], hasTranscript: false, hasUser: false, past: [] },
        }),
      });
    },
    after: (_, root) => show(root),
    sign: '.privacy-lines',
    options: { features: 'privacy' },
  },
  privacy_confirm: {
    build: talk,
    after(_, root) {
      show(root);
      press(root, '.privacy-actions > .danger');
    },
    sign: '.privacy-state:not(:empty)',
    options: { features: 'privacy' },
  },
};
