import '@nlux/themes/nova.css';
import { createAiChat } from '@nlux/core';
import { history, mount, receiveChunks } from './page.js';

mount(() => {
  const root = document.createElement('div');
  root.style.cssText = 'width: 400px; height: 500px';
  document.body.append(root);
  createAiChat()
    .withAdapter({
      streamText: (_question, observer) =>
        receiveChunks(({ text, isLast }) => {
          observer.next(text);
          if (isLast) observer.complete();
        }),
    })
    // Else it types each answer letter by letter, and takes minutes.
    .withMessageOptions({ skipStreamingAnimation: true })
    .withComposerOptions({ autoFocus: true })
    .withInitialConversation(
      history.map(({ isAgent, text }) => ({ role: isAgent ? 'assistant' : 'user', message: text })),
    )
    .mount(root);
});
