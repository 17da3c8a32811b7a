import { createSSRApp, h } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { App } from './app.ts';
import OwnView from './own-view.vue';

/** The page as a server sends it. */
export function render(endpoint: string): Promise<string> {
  return renderToString(createSSRApp(() => [h(App, { endpoint }), h(OwnView, { endpoint })]));
}
