/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string';
import { OwnView } from './own-view.tsx';

/** Renders the page on a server. */
export function render(endpoint: string): string {
  return renderToString(<OwnView endpoint={endpoint} />);
}
