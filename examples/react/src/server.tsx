import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from './app.tsx';

/** The page as a server sends it. */
export function render(endpoint: string): string {
  return renderToString(
    <StrictMode>
      <App endpoint={endpoint} />
    </StrictMode>,
  );
}
