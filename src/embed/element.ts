import { createWidget, type NatterWidget } from './create-widget.ts';
import { ATTRIBUTES, readAttributes } from './read-attributes.ts';

export type { NatterWidget } from './create-widget.ts';

// On a server there is no HTMLElement; the class must still be importable there.
const Base: typeof HTMLElement =
  typeof HTMLElement === 'undefined' ? (class {} as unknown as typeof HTMLElement) : HTMLElement;

/**
 * `<natter-chat endpoint="https://chat.example.com">`: the widget as an element. Attributes are those of the
 * script tag without `data-`; a change sets the widget up anew.
 */
export class NatterChatElement extends Base {
  static readonly observedAttributes: readonly string[] = ATTRIBUTES;
  #widget: NatterWidget | null = null;

  /** The running widget, null while the element is off the page or has no `endpoint`. */
  get widget(): NatterWidget | null {
    return this.#widget;
  }

  connectedCallback(): void {
    this.#start();
  }

  disconnectedCallback(): void {
    this.#stop();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (!this.#widget || before === after) return;
    this.#stop();
    this.#start();
  }

  #start(): void {
    const { endpoint, ...options } = readAttributes((name) => this.getAttribute(name));
    // Hosts that the script tag or `mount` made have no attribute and are looked after by those.
    if (!endpoint || this.#widget) return;
    this.#widget = createWidget(this, { endpoint, ...options }, () => import('./conversation.ts'));
  }

  #stop(): void {
    void this.#widget?.destroy();
    this.#widget = null;
  }
}

if (typeof customElements !== 'undefined' && !customElements.get('natter-chat')) {
  customElements.define('natter-chat', NatterChatElement);
}
