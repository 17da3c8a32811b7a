/** Elements that the arrow keys go to: messages, and notices about the conversation. */
const ENTRIES = '.message, .system';
const STOPS = 'a[href], button, textarea, input, select, [tabindex="0"]';
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** The focused message, or the last one in view while the focus is elsewhere. */
interface CurrentEntry {
  readonly entry: HTMLElement | undefined;
  readonly isFocused: boolean;
}

/**
 * Makes the transcript one stop of the Tab key. Up and Down move from message to message, and first scroll through one
 * that is higher than the view. Tab goes through the links and buttons of the current message, then past all others.
 */
export class MessageNavigation {
  readonly #viewport: HTMLElement;

  constructor(viewport: HTMLElement) {
    this.#viewport = viewport;
  }

  /** Focuses the first or the last entry that is drawn. */
  goTo(end: 'first' | 'last'): void {
    focusEntry(this.#entries().at(end === 'first' ? 0 : -1));
  }

  /** Handles a key. Returns true if it moved the focus; the caller then prevents the browser's default. */
  handleKey({ key, shiftKey, ctrlKey, altKey, metaKey, target }: KeyboardEvent): boolean {
    const isInField = target instanceof Element && target.matches('textarea, input, select');
    if (ctrlKey || altKey || metaKey || isInField) return false;
    if (key === 'Tab') return this.#tab(shiftKey);
    const step = STEPS[key];
    return step !== undefined && !shiftKey && this.#move(step);
  }

  #entries(): readonly HTMLElement[] {
    return [...this.#viewport.querySelectorAll<HTMLElement>(ENTRIES)];
  }

  #activeElement(): Element | null {
    const root = this.#viewport.getRootNode();
    return root instanceof ShadowRoot ? root.activeElement : null;
  }

  #current(): CurrentEntry {
    const focused = this.#activeElement()?.closest<HTMLElement>(ENTRIES);
    const { bottom } = this.#viewport.getBoundingClientRect();
    const isInView = (entry: HTMLElement): boolean => entry.getBoundingClientRect().top < bottom;
    return { entry: focused ?? this.#entries().findLast(isInView), isFocused: Boolean(focused) };
  }

  #move(step: number): boolean {
    const { entry, isFocused } = this.#current();
    if (!entry) return false;
    const { top, bottom } = entry.getBoundingClientRect();
    const view = this.#viewport.getBoundingClientRect();
    // A message that is partly in view is scrolled first, by the browser.
    if (isFocused && (step < 0 ? top < view.top - 1 : bottom > view.bottom + 1)) return false;
    const entries = this.#entries();
    const next = isFocused ? entries[entries.indexOf(entry) + step] : entry;
    // There may be content to scroll to before the first entry and after the last.
    if (!next) return false;
    focusEntry(next);
    next.scrollIntoView({ block: 'nearest' });
    return true;
  }

  #tab(isBack: boolean): boolean {
    const { entry, isFocused } = this.#current();
    const active = this.#activeElement();
    // Shift+Tab on the view leaves it, and so does Tab on elements outside the messages: the browser does both.
    if (!entry || !(isFocused || (active === this.#viewport && !isBack))) return false;
    const stops = this.#stops();
    const inside = [...(isFocused ? [entry] : []), ...stops.filter((stop) => entry.contains(stop))];
    const within = inside[inside.indexOf(active as HTMLElement) + (isBack ? -1 : 1)];
    const direction = isBack ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
    const beyond = stops.filter(
      (stop) => !stop.closest(ENTRIES) && entry.compareDocumentPosition(stop) & direction,
    );
    const next = within ?? beyond.at(isBack ? -1 : 0);
    if (next === entry) focusEntry(entry);
    else next?.focus();
    return Boolean(next);
  }

  /** All tab stops of the panel that are visible. */
  #stops(): readonly HTMLElement[] {
    const stops = this.#viewport.closest('.panel')?.querySelectorAll<HTMLElement>(STOPS) ?? [];
    return [...stops].filter((stop) => stop.checkVisibility({ visibilityProperty: true }));
  }
}

function focusEntry(entry: HTMLElement | undefined): void {
  if (!entry) return;
  entry.tabIndex = -1;
  entry.role = 'article';
  entry.ariaLabel = labelOf(entry);
  entry.focus({ preventScroll: true });
}

/** Speaker, text and time of a message; the text of a notice. */
function labelOf(entry: HTMLElement): string {
  const parts = entry.querySelectorAll<HTMLElement>(
    ':scope > .sr, :scope > .bubble-line > .sr, .rich, .bubble, time',
  );
  // biome-ignore lint/performance/useDomNodeTextContent: paragraphs and items of a list are words apart
  return [...(parts.length > 0 ? parts : [entry])].map((part) => part.innerText.trim()).join(' ');
}
