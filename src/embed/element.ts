import { createWidget, type NatterWidget } from './create-widget.ts';
import { ATTRIBUTES, readAttributes } from './read-attributes.ts';

export type { NatterWidget } from './create-widget.ts';

// On a server there is no HTMLElement; the class must still be importable there.
const Base: typeof HTMLElement =
  typeof HTMLElement === 'undefined' ? (class {} as unknown as typeof HTMLElement) : HTMLElement;

/**
 * `<natter-chat endpoint="https://chat.example.com">`: the widget as an element. Attributes are those of the
 * script tag without `data-`. A change of `language` is followed, any other sets the widget up anew.
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

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.#widget || before === after) return;
    if (name === 'language') {
      // Where the panel cannot be loaded, whoever opens it is told.
      this.#widget.setLanguage(after ?? '').catch(() => undefined);
      return;
    }
    this.#stop();
    this.#start();
  }

  #start(): void {
    const { endpoint, ...given } = readAttributes((name) => this.getAttribute(name));
    // Hosts that the script tag or `mount` made have no attribute and are looked after by those.
    if (!endpoint || this.#widget) return;
    const options = { endpoint, ...given };
    this.#widget = createWidget(this, options, async () => {
      const { prepareConversation } = await import('./conversation.ts');
      return prepareConversation(options);
    });
  }

  #stop(): void {
    void this.#widget?.destroy();
    this.#widget = null;
  }
}

if (typeof customElements !== 'undefined' && !customElements.get('natter-chat')) {
  customElements.define('natter-chat', NatterChatElement);
}
