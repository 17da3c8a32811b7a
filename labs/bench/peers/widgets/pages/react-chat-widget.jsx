import 'react-chat-widget/lib/styles.css';
import { useEffect } from 'react';
import { addResponseMessage, addUserMessage, Widget } from 'react-chat-widget';
import { createRoot } from 'react-dom/client';
import { history } from './page.js';

// Its messages cannot change once they are there, so that it shows no answers that stream.
function Chat() {
  useEffect(() => {
    for (const { isAgent, text } of history) (isAgent ? addResponseMessage : addUserMessage)(text);
  }, []);
  return <Widget handleNewUserMessage={() => undefined} />;
}

const root = document.createElement('div');
document.body.append(root);
createRoot(root).render(<Chat />);
