import type { BubbleOptions } from '../../src/embed/launcher/bubble.ts';
import type { WidgetOptions } from '../../src/widget/index.ts';
import type { FakeChat } from '../../test/widget/fake-chat.ts';
import { card } from './samples.ts';

/** One state of the panel. */
export interface GalleryState {
  build(chat: FakeChat): void;
  /** Runs once the panel is open. */
  after?(chat: FakeChat, root: ShadowRoot): void;
  /** Reverts the changes of `build` to the browser. */
  leave?(): void;
  /** Selector of the last element to appear, for states with parts or texts that appear late. */
  readonly sign?: string;
  readonly options?: Partial<WidgetOptions>;
  /** A message at the launcher, while the panel is closed. */
  readonly bubble?: BubbleOptions;
}

export const GREETING =
  'Hello, I’m **Ada**. I can look up sailings, fares and check-in times, or change a booking. What do you need?';

/** The agent has sent its greeting. */
export function greet(chat: FakeChat): void {
  chat.says(GREETING);
}

/** A question has been asked and answered. */
export function talk(chat: FakeChat): void {
  greet(chat);
  chat.asks('Can I bring my dog on the 14:30 to Skarø?');
  chat.says(
    'Yes. Dogs travel free on all our routes.\n\n- On the **open deck** and in the *pet lounge* on deck 5\n- On a lead, or in a carrier up to 60 cm\n- Guide dogs may go everywhere\n\nPlease add the dog to [your booking](https://example.com/booking), so that we keep a place.',
    {
      attachments: [
        card('https://example.com/pets', 'Travelling with pets'),
        card('https://example.com/deck-plan', 'Deck plan, MS Kittiwake'),
      ],
    },
  );
}

/** Clicks on the first element that `selector` finds, as soon as there is one: late parts take their time. */
export function press(root: ShadowRoot, selector: string): void {
  const element = root.querySelector<HTMLElement>(selector);
  if (element) element.click();
  else requestAnimationFrame(() => press(root, selector));
}
