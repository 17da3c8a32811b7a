/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string';
import { OwnView } from './own-view.tsx';

/** The page as a server sends it. */
export function render(endpoint: string): string {
  return renderToString(<OwnView endpoint={endpoint} />);
}
