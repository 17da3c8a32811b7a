import { pageDocument } from '../../widget/index.ts';
import css from './launcher.css?inline';

/** The round button in the corner. Plain DOM, because it is drawn before anything else has loaded. */
export interface Launcher {
  readonly button: HTMLButtonElement;
  /**
   * Shows an error beside the button, also to screen readers, with a link to another contact. Without a text, removes
   * it.
   */
  setFault(text?: string, contactUrl?: string): void;
  /** Moves the button to the side of the options. If `isNamed` is true, also sets its name. */
  setLooks(options: LauncherOptions, isNamed: boolean): void;
  /** Sets the button's listeners. Returns false if they were already set. */
  listen(): boolean;
}

/** The options that the launcher reads. */
export interface LauncherOptions {
  /** `start`; any other value is the end of the page. */
  readonly position?: string | undefined;
  /** Language of the label. Default: the browser's. */
  readonly language?: string | undefined;
  readonly launcherLabel?: string | undefined;
}

/**
 * The button's name until the panel brings the texts of its language, for the languages in which a chat is not called
 * "Chat".
 */
const NAMES: Readonly<Record<string, string>> = {
  ar: 'دردشة',
  he: 'צ׳אט',
  ja: 'チャット',
  pl: 'Czat',
  zh: '聊天',
};

/** Creates an element of an icon with its one attribute. */
function createShape(tag: 'svg' | 'path', attribute: string, value: string): SVGElement {
  const shape = pageDocument.createElementNS('http://www.w3.org/2000/svg', tag);
  shape.setAttribute(attribute, value);
  return shape;
}

/**
 * Draws the launcher into `root`. Constructed style sheets need no exception in a page's Content Security Policy.
 * `onIntent`: the visitor is about to open the chat, because the pointer is over the button or it has the focus.
 */
export function createLauncher(root: ShadowRoot, onIntent: () => void, onToggle: () => void): Launcher {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);

  const button = pageDocument.createElement('button');
  button.ariaExpanded = 'false';
  const icon = createShape('svg', 'viewBox', '0 0 46 46');
  icon.append(createShape('path', 'd', 'M16 27.4a8.5 8.5 0 1 1 3.4 2.8l-5 1.3z'));
  button.append(icon);
  const listen = (): boolean => {
    if (button.onclick) return false;
    // A finger sends `pointerenter` as well, before its click.
    button.onpointerenter = button.onfocus = onIntent;
    button.onclick = onToggle;
    return true;
  };
  listen();
  const fault = pageDocument.createElement('div');
  fault.role = 'alert';
  // The texts in the visitor's language load with the panel.
  fault.lang = 'en';

  root.append(button);

  return {
    button,
    listen,
    setLooks: ({ position, language, launcherLabel }, isNamed) => {
      button.part = button.className = `launcher ${position ?? ''}`;
      fault.part = fault.className = `card ${position ?? ''}`;
      if (!isNamed) return;
      const code = `${language || navigator.language}`.slice(0, 2);
      button.ariaLabel = launcherLabel || NAMES[code] || 'Chat';
    },
    setFault: (text, contactUrl) => {
      button.ariaBusy = 'false';
      // Prototype.js replaces `remove` by one that throws for an element without a parent.
      fault.parentNode?.removeChild(fault);
      if (!text) return;
      fault.textContent = text;
      if (contactUrl) {
        const link = pageDocument.createElement('a');
        link.textContent = 'Contact us';
        link.target = '_blank';
        link.href = contactUrl;
        if (/^(https?|mailto|tel):/.test(link.protocol)) fault.append(' ', link);
      }
      // Screen readers announce an alert each time that it is inserted into the page.
      button.after(fault);
    },
  };
}
