import type { NatterWidget } from 'natter';
import { NatterChat } from 'natter/react';
import { type ReactNode, useRef, useState } from 'react';

/** A page with the widget, a button that opens it, and the latest answer. */
export function App({ endpoint }: { endpoint: string }): ReactNode {
  const chat = useRef<NatterWidget>(null);
  const [answer, setAnswer] = useState('');
  const [agentName, setAgentName] = useState('Ada');
  return (
    <main>
      <h1>Natter in a React app</h1>
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
    </main>
  );
}
