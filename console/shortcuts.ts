import type { Shortcuts } from './ui/index.ts';

/** The key of shortcuts as the keyboard names it. */
export const COMMAND_KEY = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** The keys of the console. Tab and the arrow keys work as in every page. */
export const SHORTCUTS: readonly Shortcuts[] = [
  {
    place: 'Everywhere',
    keys: [
      [[COMMAND_KEY, 'K'], 'Search conversations, open a page, run an action'],
      [['?'], 'Show these shortcuts'],
      [['Esc'], 'Close the open dialog or menu'],
    ],
  },
  {
    place: 'In a reply or a note',
    keys: [
      [['Enter'], 'Send the reply, or add the note'],
      [['Shift', 'Enter'], 'Begin a new line'],
      [['/'], 'Choose a canned reply'],
    ],
  },
];
