import 'deep-chat';
import { history, mount } from './page.js';

mount(() => {
  const chat = document.createElement('deep-chat');
  // The faster of its two ways to show an answer that streams.
  chat.connect = { url: '/answers/deep-chat', stream: { partialRender: true } };
  if (history.length > 0)
    chat.history = history.map(({ isAgent, text }) => ({ role: isAgent ? 'ai' : 'user', text }));
  document.body.append(chat);
});
