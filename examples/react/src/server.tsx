import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from './app.tsx';
import { OwnView } from './own-view.tsx';

/** The page as a server sends it. */
export function render(endpoint: string): string {
  return renderToString(
    <StrictMode>
      <App endpoint={endpoint} />
      <OwnView endpoint={endpoint} />
    </StrictMode>,
  );
}
