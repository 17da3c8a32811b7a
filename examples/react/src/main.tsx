import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

/** Where the token proxy is; a real app has this in its configuration. */
const endpoint = new URLSearchParams(location.search).get('endpoint') ?? 'http://127.0.0.1:8787';

const element = document.querySelector('#app');
if (element) {
  createRoot(element).render(
    <StrictMode>
      <App endpoint={endpoint} />
    </StrictMode>,
  );
}
