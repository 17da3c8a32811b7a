/** A chat widget, and how the bench finds its way about it. */
export interface PeerWidget {
  readonly name: string;
  /** The script in `pages/` that mounts it; Natter has its own script tag. */
  readonly page?: string;
  /** The element whose shadow root holds all of it; without one it is in the page itself. */
  readonly host?: string;
  /** The element that opens the chat. Absent: the chat is open from the start. */
  readonly launcher?: string;
  readonly field: string;
  /** The texts of the agent, the last of which is the newest. */
  readonly answers: string;
  /** Whether the field has the focus once the widget is open. */
  readonly focusesField?: false;
  /** Whether an answer can grow on the screen. */
  readonly streams?: false;
  readonly takesHistory?: false;
  /** Whether it waits for an answer only after a question, or loads what shows one then. */
  readonly asksFirst?: true;
}

/** Natter first. */
export const WIDGETS: readonly PeerWidget[] = [
  {
    name: 'natter',
    host: 'natter-chat',
    launcher: 'button',
    field: 'textarea',
    answers: '[part~=agent-message] .rich',
    asksFirst: true,
  },
  {
    name: 'chatscope',
    page: 'chatscope.jsx',
    field: '.cs-message-input__content-editor',
    answers: '.cs-message--incoming',
  },
  {
    name: 'deep-chat',
    page: 'deep-chat.js',
    host: 'deep-chat',
    field: '#text-input',
    answers: '.ai-message-text',
    asksFirst: true,
  },
  {
    name: 'elevenlabs',
    page: 'elevenlabs.js',
    host: 'elevenlabs-convai',
    launcher: 'button',
    field: 'textarea',
    answers: '[dir=auto]',
    focusesField: false,
    takesHistory: false,
    asksFirst: true,
  },
  {
    name: 'flowise',
    page: 'flowise.js',
    host: 'flowise-chatbot',
    launcher: 'button',
    field: 'textarea',
    answers: '.chatbot-host-bubble',
    asksFirst: true,
  },
  {
    name: 'nlux',
    page: 'nlux.js',
    field: '.nlux-comp-composer textarea',
    answers: '.nlux-comp-chatItem--received, .nlux-comp-chatItem--assistant',
    asksFirst: true,
  },
  {
    name: 'react-chat-widget',
    page: 'react-chat-widget.jsx',
    launcher: '.rcw-launcher',
    field: '.rcw-input',
    answers: '.rcw-response',
    streams: false,
  },
];
