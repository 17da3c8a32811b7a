import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from './app.tsx';
import { OwnView } from './own-view.tsx';

/** Renders the page on a server. */
export function render(endpoint: string): string {
  return renderToString(
    <StrictMode>
      <App endpoint={endpoint} />
      <OwnView endpoint={endpoint} />
    </StrictMode>,
  );
}
