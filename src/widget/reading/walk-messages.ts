/** What the keys go through: everything that somebody said, and what is said about the conversation. */
const ENTRIES = '.message, .system';
const STOPS = 'a[href], button, textarea, input, select, [tabindex="0"]';
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** Moves the focus through a transcript. */
export interface MessageWalk {
  /** Focuses the first entry that is drawn, or the last. */
  goTo(end: 'first' | 'last'): void;
  /** Does what the key is for, if it is for this; whoever calls keeps the browser from doing its own then. */
  press(event: KeyboardEvent): boolean;
}

/**
 * The transcript as one stop of the Tab key. Up and Down go from message to message and scroll one that is higher than
 * the view; Tab goes through the links and buttons of the message one is at, then on, past all others.
 */
export function createMessageWalk(viewport: HTMLElement): MessageWalk {
  const root = viewport.getRootNode() as ShadowRoot;

  const all = (): readonly HTMLElement[] => [...viewport.querySelectorAll<HTMLElement>(ENTRIES)];
  const isInView = (entry: HTMLElement): boolean =>
    entry.getBoundingClientRect().top < viewport.getBoundingClientRect().bottom;

  /** Where one is, or comes in: at the last entry that is in view. */
  function current(): { readonly entry: HTMLElement | undefined; readonly isEntered: boolean } {
    const entered = root.activeElement?.closest<HTMLElement>(ENTRIES);
    return { entry: entered ?? all().findLast(isInView), isEntered: Boolean(entered) };
  }

  function focus(entry: HTMLElement | undefined): void {
    if (!entry) return;
    entry.tabIndex = -1;
    entry.role = 'article';
    entry.ariaLabel = labelOf(entry);
    entry.focus({ preventScroll: true });
  }

  function walk(step: number): boolean {
    const { entry, isEntered } = current();
    if (!entry) return false;
    const { top, bottom } = entry.getBoundingClientRect();
    const view = viewport.getBoundingClientRect();
    // What is not seen of it yet is read first: the browser scrolls.
    if (isEntered && (step < 0 ? top < view.top - 1 : bottom > view.bottom + 1)) return false;
    const entries = all();
    const next = isEntered ? entries[entries.indexOf(entry) + step] : entry;
    // Beyond the first and the last there may be something to scroll to.
    if (!next) return false;
    focus(next);
    next.scrollIntoView({ block: 'nearest' });
    return true;
  }

  function tab(isBack: boolean): boolean {
    const { entry, isEntered } = current();
    const active = root.activeElement;
    // From the view itself, backwards is out, and so it is from what else stands in the transcript.
    if (!entry || !(isEntered || (active === viewport && !isBack))) return false;
    const stops = [...(viewport.closest('.panel')?.querySelectorAll<HTMLElement>(STOPS) ?? [])].filter(
      (stop) => stop.checkVisibility({ visibilityProperty: true }),
    );
    const inside = [...(isEntered ? [entry] : []), ...stops.filter((stop) => entry.contains(stop))];
    const within = inside[inside.indexOf(active as HTMLElement) + (isBack ? -1 : 1)];
    const beyond = stops.filter(
      (stop) =>
        !stop.closest(ENTRIES) &&
        entry.compareDocumentPosition(stop) &
          (isBack ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING),
    );
    const next = within ?? beyond.at(isBack ? -1 : 0);
    if (next === entry) focus(entry);
    else next?.focus();
    return Boolean(next);
  }

  return {
    goTo: (end) => focus(all().at(end === 'first' ? 0 : -1)),
    press({ key, shiftKey, ctrlKey, altKey, metaKey, target }) {
      if (
        ctrlKey ||
        altKey ||
        metaKey ||
        (target instanceof Element && target.matches('textarea, input, select'))
      )
        return false;
      if (key === 'Tab') return tab(shiftKey);
      const step = STEPS[key];
      return step !== undefined && !shiftKey && walk(step);
    },
  };
}

/** Who said it, what, and when; a line of the widget's own is its text. */
function labelOf(entry: HTMLElement): string {
  const parts = entry.querySelectorAll<HTMLElement>(
    ':scope > .sr, :scope > .bubble-line > .sr, .rich, .bubble, time',
  );
  // biome-ignore lint/performance/useDomNodeTextContent: paragraphs and items of a list are words apart
  return [...(parts.length > 0 ? parts : [entry])].map((part) => part.innerText.trim()).join(' ');
}
