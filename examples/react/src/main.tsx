import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { OwnView } from './own-view.tsx';

/** Address of the token proxy; a real app has it in its configuration. */
const parameters = new URLSearchParams(location.search);
const endpoint = parameters.get('endpoint') ?? 'http://127.0.0.1:8787';
const View = parameters.get('view') === 'own' ? OwnView : App;

const element = document.querySelector('#app');
if (element) {
  createRoot(element).render(
    <StrictMode>
      <View endpoint={endpoint} />
    </StrictMode>,
  );
}
