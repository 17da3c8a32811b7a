import css from './launcher.css?inline';

/** The round button in the corner. Plain DOM, because it is drawn before anything else has loaded. */
export interface Launcher {
  readonly button: HTMLButtonElement;
  setOpen(isOpen: boolean): void;
  /** Shows how many messages are unread; 0 takes the badge away. */
  setUnread(count: number): void;
  setVisible(isVisible: boolean): void;
}

/** What the launcher needs to know, and whom to tell. */
export interface LauncherOptions {
  readonly position?: 'end' | 'start';
  /** Somebody is about to open the chat: the pointer is over the button, or it has the focus. */
  readonly onIntent: () => void;
  readonly onToggle: () => void;
}

const SVG = 'http://www.w3.org/2000/svg';
const OPEN_LABEL = 'Open chat';
const CLOSE_LABEL = 'Close chat';
const MAX_SHOWN = 99;

const BUBBLE =
  'M21 11.5a8.4 8.4 0 0 1-9 8.4 9.6 9.6 0 0 1-3.6-.7L3.5 20.5l1.5-4A8.1 8.1 0 0 1 3 11.5a8.7 8.7 0 0 1 9-8.4 8.7 8.7 0 0 1 9 8.4z';
const CHEVRON = 'M6 9.5l6 6 6-6';

function drawIcon(path: string): SVGSVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  icon.append(shape);
  return icon;
}

/** Draws the launcher into `root`. Constructed style sheets need no exception in a page's Content Security Policy. */
export function createLauncher(
  root: ShadowRoot,
  { position, onIntent, onToggle }: LauncherOptions,
): Launcher {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];

  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'launcher';
  if (position) button.dataset['position'] = position;
  const badge = document.createElement('span');
  badge.className = 'badge';
  button.append(drawIcon(BUBBLE), drawIcon(CHEVRON), badge);
  for (const type of ['pointerenter', 'focus', 'touchstart']) {
    button.addEventListener(type, onIntent, { passive: true });
  }
  button.addEventListener('click', onToggle);

  let isOpen = false;
  let unread = 0;
  const update = (): void => {
    button.setAttribute('aria-expanded', String(isOpen));
    const label = isOpen ? CLOSE_LABEL : OPEN_LABEL;
    button.ariaLabel = unread > 0 && !isOpen ? `${label}, ${unread} unread` : label;
    badge.textContent = unread > 0 && !isOpen ? (unread > MAX_SHOWN ? `${MAX_SHOWN}+` : String(unread)) : '';
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
  };
}
