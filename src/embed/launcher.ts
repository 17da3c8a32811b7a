import css from './launcher.css?inline';

/** The round button in the corner. Plain DOM, because it is drawn before anything else has loaded. */
export interface Launcher {
  readonly button: HTMLButtonElement;
  setOpen(isOpen: boolean): void;
  /** Shows how many messages are unread; 0 takes the badge away. */
  setUnread(count: number): void;
  setVisible(isVisible: boolean): void;
  /** Says beside the button what went wrong, aloud too, with a link to another way; null takes it away. */
  setFault(text: string | null, contactUrl?: string): void;
}

/** What the launcher needs to know, and whom to tell. */
export interface LauncherOptions {
  readonly position?: 'end' | 'start';
  /** Somebody is about to open the chat: the pointer is over the button, or it has the focus. */
  readonly onIntent: () => void;
  readonly onToggle: () => void;
}

const SVG = 'http://www.w3.org/2000/svg';
const MAX_SHOWN = 99;

const BUBBLE = 'M5 16.4a8.5 8.5 0 1 1 3.4 2.8l-5 1.3z';
const CHEVRON = 'M6 9.5l6 6 6-6';

function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

function createIcon(): SVGSVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  for (const path of [BUBBLE, CHEVRON]) {
    const shape = document.createElementNS(SVG, 'path');
    shape.setAttribute('d', path);
    icon.append(shape);
  }
  return icon;
}

/** Draws the launcher into `root`. Constructed style sheets need no exception in a page's Content Security Policy. */
export function createLauncher(
  root: ShadowRoot,
  { position = 'end', onIntent, onToggle }: LauncherOptions,
): Launcher {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);

  const button = create('button', `launcher ${position}`);
  button.type = 'button';
  const badge = create('span', 'badge');
  button.append(createIcon(), badge);
  // A finger sends `pointerenter` as well, before its click.
  button.onpointerenter = button.onfocus = onIntent;
  button.onclick = onToggle;
  const fault = create('div', `fault ${position}`);
  fault.role = 'alert';

  let isOpen = false;
  let unread = 0;
  const update = (): void => {
    const shown = isOpen ? 0 : unread;
    button.ariaExpanded = String(isOpen);
    button.ariaLabel = `${isOpen ? 'Close' : 'Open'} chat${shown > 0 ? `, ${shown} unread` : ''}`;
    badge.textContent = shown > MAX_SHOWN ? `${MAX_SHOWN}+` : shown > 0 ? String(shown) : '';
  };
  update();
  root.append(button);

  return {
    button,
    setOpen: (next) => {
      isOpen = next;
      update();
    },
    setUnread: (count) => {
      unread = count;
      update();
    },
    setVisible: (isVisible) => {
      button.hidden = !isVisible;
    },
    setFault: (text, contactUrl) => {
      fault.remove();
      if (text === null) return;
      fault.textContent = text;
      if (contactUrl) {
        const link = create('a', '');
        link.textContent = 'Contact us';
        link.target = '_blank';
        link.href = contactUrl;
        if (/^(https?|mailto|tel):$/.test(link.protocol)) fault.append(link);
      }
      // Coming into the page is what makes a screen reader say an alert, each time anew.
      button.after(fault);
    },
  };
}
