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

function start(script: HTMLScriptElement): void {
  // The directory of the script is where the token proxy is, whatever the page's base address.
  const endpoint = new URL('.', script.src).href.slice(0, -1);
  const options = { endpoint, ...readAttributes((name) => script.getAttribute(`data-${name}`)) };
  const host = document.createElement('natter-chat');
  host.id = 'natter-chat';
  const widget = createWidget(
    host,
    options,
    (attempt) =>
      import(/* @vite-ignore */ `${endpoint}/natter/${__PANEL_FILE__}${attempt ? `?${attempt}` : ''}`),
  );
  // The script may run before there is a body, and some sites exchange theirs at every navigation.
  const place = (): void => {
    if (!host.isConnected) document.body?.append(host);
  };
  const observer = new MutationObserver(place);
  observer.observe(document.documentElement, { childList: true });
  place();
  window.Natter = {
    ...widget,
    destroy: () => {
      observer.disconnect();
      host.remove();
      delete window.Natter;
      return widget.destroy();
    },
  };
}

const script = document.currentScript;
if (!window.Natter && script instanceof HTMLScriptElement) start(script);
else console.warn('natter.js does nothing here. Load it once, by <script src="…/natter.js" defer>.');
