import type { AttributeName } from './options.ts';

/** Labels of the attributes. */
export const LABELS: Readonly<Record<AttributeName, string>> = {
  endpoint: 'Address of your token proxy',
  connector: 'Connector',
  platform: 'Kind of app',
  'render-mode': 'How the chat is shown',
  position: 'Corner of the page',
  preload: 'When to load the chat',
  'agent-name': 'Name of the agent',
  avatar: 'Picture of the agent',
  title: 'Title of the chat',
  welcome: 'First message',
  disclaimer: 'Small print',
  language: 'Language',
  accent: 'Brand colour',
  theme: 'Light or dark',
  'show-header': 'Show the header',
  'show-icon': 'Show the launcher button',
  'launcher-label': 'Text on the launcher button',
  'auto-open': 'Open the chat with the page',
  localized: 'Your texts in other languages',
  hours: 'When your team answers',
  'hours-time-zone': 'Time zone of these hours',
  'outside-hours': 'Outside these hours',
  'contact-url': 'Another way to reach you',
  proactive: 'Messages beside the launcher',
  consent: 'Ask for consent first',
  'keep-draft': 'Keep unsent text on reload',
  'policy-links': 'Links to your policies',
  features: 'Extra features',
  'image-hosts': 'Hosts that pictures may come from',
};

/** Replacements for hints of the manifest that name values not shown here. */
export const HINTS: Readonly<Partial<Record<AttributeName, string>>> = {
  connector: 'Only if your token proxy has several. The operator of your servers knows the name.',
  platform: 'Only for a page inside an app. In an iOS app the chat fills the screen.',
  'render-mode': 'In the page or in the whole window, the chat is open from the start and has no launcher.',
  position: 'Mirrored in languages that are read from the right.',
  preload: 'With the page, the first click is faster, and every visitor downloads the chat.',
  welcome: 'Replaces the greeting of your agent. Its suggestions stay.',
  'image-hosts': 'For example cdn.example.com; several with spaces between. Other pictures become links.',
  accent: 'All other colours are made from it.',
  theme: 'Visitors choose light or dark in their system.',
  'launcher-label': 'For screen readers, until the chat has loaded.',
};

/** Labels of the attributes' values. */
export const CHOICES: Readonly<Record<string, string>> = {
  auto: 'Like the visitor’s system',
  light: 'Light',
  dark: 'Dark',
  end: 'Right',
  start: 'Left',
  default: 'Button in a corner',
  inline: 'Inside the page',
  fullscreen: 'Whole window',
  intent: 'Just before it opens',
  idle: 'With the page',
  web: 'Website',
  ios: 'iOS app',
  android: 'Android app',
  open: 'The agent answers',
  closed: 'The chat is closed',
};

/** The parts that are off by default: name, label, and what visitors get. */
export const FEATURES = [
  [
    'home',
    'Home screen',
    'Starts with a greeting, the last conversation, your help articles and a button to write.',
  ],
  [
    'history',
    'Earlier conversations',
    'Adds them to the home screen, kept in the visitor’s browser for 30 days.',
  ],
  [
    'continue',
    'Continue a conversation',
    'Lets visitors continue an earlier one in a new conversation. The agent sees how it ended.',
  ],
  ['contact', 'Leave a message', 'Takes a message and an email address when nobody is available.'],
  ['feedback', 'Thumbs', 'Lets visitors rate each answer and say why.'],
  ['files', 'Files', 'Lets visitors send files to the upload hook of your token proxy.'],
  ['privacy', 'Your data', 'Shows visitors what is stored about them, and lets them delete it.'],
  [
    'details',
    'Details for your team',
    'Sends the page, time zone, browser and language. Name them in your privacy notice.',
  ],
  ['dictation', 'Dictation', 'Adds a microphone to the message field, where the browser supports it.'],
  ['emoji', 'Emoji', 'Adds a button that inserts emoji.'],
] as const;
