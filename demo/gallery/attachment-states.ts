import { ADA } from '../../test/widget/fake-chat.ts';
import { type GalleryState, press } from './gallery-state.ts';
import { card, image, picture } from './samples.ts';

/** Pictures and cards of links in messages. */
export const ATTACHMENT_STATES: Readonly<Record<string, GalleryState>> = {
  attachments: {
    build(chat) {
      chat.asks('Where do I find the terminal?');
      chat.says('The terminal is at the north quay, five minutes from the station.', {
        attachments: [
          card('https://www.example.com/terminal', 'Getting to Hafn terminal', {
            previewImageUrl: picture(),
            callToActionText: 'See directions',
          }),
          card('https://example.com/parking', 'Parking'),
        ],
        callActions: [
          { title: 'Call the terminal', phoneNumber: '+4555501420' },
          { title: '', phoneNumber: '+4555501421' },
        ],
      });
    },
    sign: '.link-card',
  },
  image: {
    build(chat) {
      chat.asks('What does the cabin look like?');
      chat.says('This is a two-berth cabin with a window:', {
        attachments: [
          image(picture(), 'Cabin, deck 6'),
          image(new URL('/missing.png', location.href).href, null),
        ],
      });
    },
    sign: '.picture-failed',
  },
  /** Pictures of a host that is not in the list: nothing is fetched, and everything leads there. */
  elsewhere: {
    build(chat) {
      chat.asks('What does the cabin look like?');
      chat.says('This is a two-berth cabin with a window:', {
        speaker: { ...ADA, avatarUrl: 'https://pictures.example/ada.png' },
        attachments: [
          image('https://pictures.example/cabin.png', 'Cabin, deck 6'),
          card('https://example.com/cabins', 'All cabins', {
            previewImageUrl: 'https://pictures.example/cabins.png',
          }),
        ],
      });
    },
    sign: '.link-card',
  },
  lightbox: {
    build(chat) {
      chat.asks('What does the cabin look like?');
      chat.says('This is a two-berth cabin with a window:', {
        attachments: [image(picture(), 'Cabin, deck 6')],
      });
    },
    after: (_, root) => press(root, '.picture a'),
    sign: '.lightbox',
  },
};
