import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { App } from './app.ts';

/** The page as a server sends it. */
export function render(endpoint: string): Promise<string> {
  return renderToString(createSSRApp(App, { endpoint }));
}
