import '@chatscope/chat-ui-kit-styles/dist/default/styles.min.css';
import {
  ChatContainer,
  MainContainer,
  Message,
  MessageInput,
  MessageList,
} from '@chatscope/chat-ui-kit-react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { history, mount, receiveChunks } from './page.js';

// A set of React components: the page holds the messages, and they are shown as plain text.
function Chat() {
  const [messages, setMessages] = useState(history);
  useEffect(
    () =>
      receiveChunks(({ text, isFirst }) =>
        setMessages((before) =>
          isFirst
            ? [...before, { isAgent: true, text }]
            : [...before.slice(0, -1), { isAgent: true, text: before.at(-1).text + text }],
        ),
      ),
    [],
  );
  return (
    <div style={{ height: '500px', width: '400px' }}>
      <MainContainer>
        <ChatContainer>
          <MessageList>
            {messages.map(({ isAgent, text }, index) => (
              <Message
                // biome-ignore lint/suspicious/noArrayIndexKey: messages are only ever added at the end
                key={index}
                model={{
                  message: text,
                  direction: isAgent ? 'incoming' : 'outgoing',
                  position: 'single',
                  type: 'text',
                }}
              />
            ))}
          </MessageList>
          <MessageInput attachButton={false} autoFocus placeholder="Type here" />
        </ChatContainer>
      </MainContainer>
    </div>
  );
}

mount(() => {
  const root = document.createElement('div');
  document.body.append(root);
  createRoot(root).render(<Chat />);
});
