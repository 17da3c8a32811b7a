import { createElement, Fragment, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { testOwnView } from '../../test/own-view-cases.ts';
import {
  ChatProvider,
  Composer,
  ComposerInput,
  ComposerSend,
  MessageList,
  Suggestions,
  TypingIndicator,
} from './index.ts';

testOwnView((client, place) => {
  const root = createRoot(place);
  const view = createElement(
    Fragment,
    null,
    createElement(MessageList, { 'aria-label': 'Conversation' }),
    createElement(TypingIndicator),
    createElement(Suggestions),
    createElement(Composer, null, createElement(ComposerInput), createElement(ComposerSend, null, 'Send')),
  );
  root.render(createElement(StrictMode, null, createElement(ChatProvider, { client }, view)));
  return () => root.unmount();
});
