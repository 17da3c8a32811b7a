import { pageDocument, readOwnGlobal } from '../../widget/index.ts';
import { createWidget, type NatterWidget } from '../create-widget.ts';
import type * as Panel from './prepare.ts';

/** A function that is called with the script tag's widget. */
export type ScriptCall = (widget: ScriptWidget) => void;

declare global {
  interface Window {
    /**
     * The widget of the script tag. A page that does not wait for the script makes it an array of functions, each of
     * which is called with the widget when that is ready: `(window.Natter ||= []).push((natter) => natter.open())`.
     * `push` works before and after; the array has none of the other methods: `window.Natter?.open?.()`.
     */
    Natter?: ScriptWidget | ScriptCalls;
  }
}

/** Calls that the page queued before the script ran. */
export type ScriptCalls = ScriptCall[] & {
  readonly [Name in Exclude<keyof ScriptWidget, 'push'>]?: never;
};

/** The widget of the script tag. `push` runs a call at once; before, the page queues it. */
export interface ScriptWidget extends NatterWidget {
  push(call: ScriptCall): void;
}

/** Name of the panel's file, filled in by the build. */
declare const __PANEL_FILE__: string;
/** Languages of the panel's texts, separated by spaces, and the name of their files with `[language]` in it. */
declare const __LANGUAGES__: string;
declare const __TEXTS_FILE__: string;
/** Name of the file with the code that some pages need before the panel. */
declare const __EARLY_FILE__: string;

/** Fetches the texts that the panel will need, at the same time as the panel. */
function fetchTexts(endpoint: string, wanted = ''): void {
  const codes = [`${wanted}`, ...navigator.languages].map((tag) => tag.slice(0, 2));
  const languages = __LANGUAGES__;
  const language = codes.find((code) => code && languages.includes(code)) ?? 'en';
  // If it fails, the panel tries again.
  import(/* @vite-ignore */ endpoint + __TEXTS_FILE__.replace('[language]', language)).catch(() => undefined);
}

function start(script: HTMLScriptElement, calls: readonly ScriptCall[]): void {
  // The token proxy is at the script's directory, whatever the base address of the page is.
  const endpoint = new URL('.', script.src).href;
  const attributes = script.dataset;
  const host = pageDocument.createElement('natter-chat');
  host.id = 'natter-chat';
  // A page may have a placeholder for it, which comes and goes with the page's content. Otherwise it is beside the
  // body, not in it: sites that replace the body when they navigate would take the focus out of the panel and scroll it
  // to its start.
  const attach = (): void => {
    const place = pageDocument.getElementById(host.id);
    if (place) place.replaceWith(host);
    else pageDocument.documentElement?.append(host);
  };
  let slashes = '';
  const widget = createWidget(
    host,
    attributes,
    (settings) => {
      fetchTexts(endpoint, settings.language);
      // Another address for each try, because Firefox remembers a module that failed. A further slash, not a query: the
      // panel's parts import the panel by a relative path, and must find this one.
      slashes += '/';
      return import(/* @vite-ignore */ endpoint + __PANEL_FILE__.replace('/', slashes)).then(
        ({ prepare }: typeof Panel) => prepare(endpoint, settings),
      );
    },
    () => import(/* @vite-ignore */ endpoint + __EARLY_FILE__),
    attach,
  );
  attach();
  const { destroy } = widget;
  const natter: ScriptWidget = Object.assign(widget, {
    // Async, so that an error in a call is reported as an error of the page and stops no other call.
    push: async (call: ScriptCall) => call(natter),
    destroy: () => {
      const done = destroy();
      host.remove();
      delete window.Natter;
      return done;
    },
  });
  window.Natter = natter;
  calls.forEach(natter.push);
}

// Set in a classic script; `null` in a module.
const script = pageDocument.currentScript;
const before = readOwnGlobal('Natter') ?? [];
if (script instanceof HTMLScriptElement && Array.isArray(before)) start(script, before);
else console.warn('Load natter.js once, by classic <script>');
