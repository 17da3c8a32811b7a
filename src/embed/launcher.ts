import css from './launcher.css?inline';

/** The round button in the corner. Plain DOM, because it is drawn before anything else has loaded. */
export interface Launcher {
  readonly button: HTMLButtonElement;
  /** Says beside the button what went wrong, aloud too, with a link to another way; null takes it away. */
  setFault(text: string | null, contactUrl?: string): void;
}

/** What the launcher needs to know, and whom to tell. */
export interface LauncherOptions {
  /** `start` or, whatever else it is, the end of the page. */
  readonly position?: string | undefined;
  /** Of the label. Default: the browser's. */
  readonly language?: string | undefined;
  readonly launcherLabel?: string | undefined;
  /** Somebody is about to open the chat: the pointer is over the button, or it has the focus. */
  readonly onIntent: () => void;
  readonly onToggle: () => void;
}

/**
 * The word for a chat where it is not "Chat", as it is in seven of the widget's languages: all that the button says until the panel
 * brings its own words. Whoever has the focus on the button has them.
 */
const LABELS = 'arدردشة heצ׳אט jaチャット plCzat zh聊天'.split(' ');

const SVG = 'http://www.w3.org/2000/svg';

function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.part = className;
  element.className = className;
  return element;
}

/** One line of an icon, on a field of 24 by 24. */
export function createPath(d: string): SVGPathElement {
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', d);
  return path;
}

/** Draws the launcher into `root`. Constructed style sheets need no exception in a page's Content Security Policy. */
export function createLauncher(
  root: ShadowRoot,
  { position, language, launcherLabel, onIntent, onToggle }: LauncherOptions,
): Launcher {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);

  const side = position === 'start' ? position : '';
  const button = create('button', `launcher ${side}`);
  button.type = 'button';
  const code = (language || navigator.language).slice(0, 2);
  button.ariaLabel = launcherLabel ?? LABELS.find((label) => label.startsWith(code))?.slice(2) ?? 'Chat';
  button.ariaExpanded = 'false';
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.append(createPath('M5 16.4a8.5 8.5 0 1 1 3.4 2.8l-5 1.3z'));
  button.append(icon);
  // A finger sends `pointerenter` as well, before its click.
  button.onpointerenter = button.onfocus = onIntent;
  button.onclick = onToggle;
  const fault = create('div', `card ${side}`);
  fault.role = 'alert';

  root.append(button);

  return {
    button,
    setFault: (text, contactUrl) => {
      fault.remove();
      if (text === null) return;
      fault.textContent = text;
      if (contactUrl) {
        const link = create('a', '');
        link.textContent = 'Contact us';
        link.target = '_blank';
        link.href = contactUrl;
        if (/^(https?|mailto|tel):$/.test(link.protocol)) fault.append(' ', link);
      }
      // Coming into the page is what makes a screen reader say an alert, each time anew.
      button.after(fault);
    },
  };
}
