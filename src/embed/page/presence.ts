import { pageDocument } from '../../widget/index.ts';

/** Keeps the widget's element in the page. */
export interface Presence {
  /** Stack of each call that removed the element from the page. */
  readonly removals: readonly string[];
  /** Puts the element back at once, unless it is there. */
  putBack(): void;
}

/** An element inside the widget that notices when the widget leaves the page, however that happens. */
interface Sensor extends HTMLElement {
  onRemoved(stack: string): void;
}

const NAME = 'natter-presence';

/** A separate function, because the page keeps the class forever, with everything in its closure. */
function defineSensor(): void {
  if (customElements.get(NAME)) return;
  customElements.define(
    NAME,
    class extends HTMLElement {
      // Runs within the call that removes the element, so that the stack names the caller.
      disconnectedCallback(this: Sensor) {
        this.onRemoved(`${new Error().stack}`);
      }
    },
  );
}

/** After an element has stayed this long, a removal starts the delays from the beginning. */
const SETTLED_MS = 1_000;

/**
 * Puts the host of `root` back with `attach` after a script has removed it from the page, with a growing delay while
 * that repeats, until `signal` is aborted. Then calls `onReturn`.
 */
export function keepPresent(
  root: ShadowRoot,
  attach: () => void,
  onReturn: () => void,
  signal: AbortSignal,
): Presence {
  const { host } = root;
  const removals: string[] = [];
  let tries = 0;
  let returnedAtMs = 0;
  const putBack = (): void => {
    if (host.isConnected || signal.aborted) return;
    attach();
    returnedAtMs = performance.now();
    if (host.isConnected) onReturn();
    // The page has no root element while it is being rewritten.
    else plan();
  };
  const plan = (): unknown => setTimeout(putBack, 2 ** tries++ - 1);

  defineSensor();
  const sensor = pageDocument.createElement(NAME) as Sensor;
  sensor.onRemoved = (stack) => {
    // The element was moved, not removed.
    if (host.isConnected || signal.aborted) return;
    removals.push(stack);
    if (performance.now() - returnedAtMs > SETTLED_MS) tries = 0;
    plan();
  };
  root.prepend(sensor);
  return { removals, putBack };
}
