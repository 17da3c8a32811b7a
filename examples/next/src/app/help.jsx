'use client';

import { NatterChat } from 'natter/react';
import { useRef, useState } from 'react';

/** A button of the page's own that opens the chat, and a note of the latest answer. */
export function Help({ endpoint }) {
  const chat = useRef(null);
  const [answer, setAnswer] = useState('');
  const [agentName, setAgentName] = useState('Ada');
  return (
    <>
      <button type="button" onClick={() => chat.current?.toggle()}>
        Talk to us
      </button>
      <button type="button" onClick={() => setAgentName('Grace')}>
        Rename the agent
      </button>
      <p id="answer">{answer}</p>
      <NatterChat
        ref={chat}
        endpoint={endpoint}
        agentName={agentName}
        onMessage={({ text }) => setAnswer(text)}
      />
    </>
  );
}
