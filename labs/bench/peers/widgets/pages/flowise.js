import Chatbot from 'flowise-embed/dist/web.js';
import { history } from './page.js';

// It keeps the history in the browser's storage.
if (history.length > 0) {
  const chatHistory = history.map(({ isAgent, text }, index) => ({
    messageId: String(index),
    message: text,
    type: isAgent ? 'apiMessage' : 'userMessage',
  }));
  localStorage.setItem('bench_EXTERNAL', JSON.stringify({ chatId: 'bench', chatHistory }));
}
Chatbot.init({ chatflowid: 'bench', apiHost: location.origin });
