import { createSSRApp, h } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { App } from './app.ts';
import OwnView from './own-view.vue';

/** Renders the page on a server. */
export function render(endpoint: string): Promise<string> {
  return renderToString(createSSRApp(() => [h(App, { endpoint }), h(OwnView, { endpoint })]));
}
