import { createWidget, type NatterWidget } from './create-widget.ts';
import { readAttributes } from './read-attributes.ts';

declare global {
  interface Window {
    /** The widget of the script tag. */
    Natter?: NatterWidget;
  }
}

/** File name of the panel's chunk, filled in by the build. */
declare const __PANEL_FILE__: string;

/** The directory of the script: where the token proxy is. */
function findEndpoint(script: HTMLScriptElement): string {
  return new URL('.', script.src).href.replace(/\/$/, '');
}

function start(script: HTMLScriptElement): void {
  const endpoint = findEndpoint(script);
  const options = { endpoint, ...readAttributes((name) => script.getAttribute(`data-${name}`)) };
  const host = document.createElement('natter-chat');
  host.id = 'natter-chat';
  // Written out so that the address is the script's own directory, whatever the page's base address is.
  const widget = createWidget(
    host,
    options,
    () => import(/* @vite-ignore */ `${endpoint}/natter/${__PANEL_FILE__}`),
  );
  window.Natter = {
    ...widget,
    destroy: () => {
      host.remove();
      delete window.Natter;
      return widget.destroy();
    },
  };
  if (document.body) document.body.append(host);
  else document.addEventListener('DOMContentLoaded', () => document.body.append(host), { once: true });
}

const script = document.currentScript;
if (window.Natter) {
  console.warn(
    'natter.js is on this page twice. The second script does nothing; remove one of the two tags.',
  );
} else if (script instanceof HTMLScriptElement) {
  start(script);
} else {
  console.warn(
    'natter.js has to be loaded by a plain <script src="…/natter.js" defer></script>, not as a module.',
  );
}
