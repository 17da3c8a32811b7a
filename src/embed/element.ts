import type { WidgetChanges, WidgetOptions } from '../widget/index.ts';
import { ATTRIBUTES, type AttributeDefinition } from './attributes.ts';
import { checkHandlers } from './check-handlers.ts';
import { createWidget, type NatterWidget } from './create-widget.ts';
import { findChanges } from './find-changes.ts';
import { canDraw } from './page/can-draw.ts';
import { readAttributes } from './read-attributes.ts';
import type { WidgetEvents } from './widget-events.ts';

export type { NatterWidget } from './create-widget.ts';

// On a server there is no HTMLElement; the class must still be importable there.
const Base: typeof HTMLElement =
  typeof HTMLElement === 'undefined' ? (class {} as unknown as typeof HTMLElement) : HTMLElement;

/** Without `title`, which every element has as a property. */
const REFLECTED = Object.entries(ATTRIBUTES).filter(([name]) => name !== 'title');
const PROPERTIES: readonly string[] = [...REFLECTED.map(([, { option }]) => option), 'strings'];

/** The options that attributes set, as properties of the element. */
export type NatterChatProperties = {
  -readonly [Option in Exclude<keyof WidgetOptions, 'strings' | 'allowInsecure' | 'title'>]:
    | WidgetOptions[Option]
    | undefined;
};

/** The events of the element: the same as for `on`, with the value as `detail`. They do not bubble. */
export type NatterChatEventMap = { [Name in keyof WidgetEvents]: CustomEvent<WidgetEvents[Name]> };

const ACCENT = '--natter-accent';

const toCamelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * `<natter-chat endpoint="https://chat.example.com">`: the widget as an element. It has the attributes of the script
 * tag without `data-`. Each is also a property, named after the option of `mount`. Changes apply like those of
 * `update`.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: every property is defined on the prototype below, from the table that its type comes from
export class NatterChatElement extends Base {
  static readonly observedAttributes: readonly string[] = Object.keys(ATTRIBUTES);
  #widget: NatterWidget | null = null;
  /** False until the element is in the page; then it reads all its attributes at once. */
  #isPlaced = false;
  #strings: WidgetOptions['strings'];
  /** The current options of the widget. */
  #shown: WidgetChanges = {};

  /** The running widget, null while the element is off the page or has no `endpoint`. */
  get widget(): NatterWidget | null {
    return this.#widget;
  }

  /** Your own wording, by language. It has no attribute. */
  get strings(): WidgetOptions['strings'] {
    return this.#strings;
  }

  set strings(strings: WidgetOptions['strings']) {
    this.#strings = strings;
    this.#follow();
  }

  connectedCallback(): void {
    // A property that the page set before this class was defined hides the property of the class.
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.#isPlaced = true;
    this.#start();
  }

  disconnectedCallback(): void {
    this.#isPlaced = false;
    this.#stop();
  }

  attributeChangedCallback(_: string, before: string | null, after: string | null): void {
    if (this.#isPlaced && before !== after) this.#follow();
  }

  #read(): WidgetChanges {
    const options = readAttributes(
      Object.fromEntries(
        Object.keys(ATTRIBUTES).map((name) => [toCamelCase(name), this.getAttribute(name) ?? undefined]),
      ),
    );
    return { ...options, ...(this.#strings && { strings: this.#strings }) };
  }

  #start(): void {
    const { endpoint, ...others } = this.#read();
    // Hosts of the script tag and of `mount` have no `endpoint` attribute; they get their widget from their creator.
    if (!endpoint || this.#widget || !canDraw()) return;
    const options = { endpoint, ...others };
    this.#shown = options;
    const widget = checkHandlers(
      createWidget(
        this,
        options,
        async (settings) => {
          const { prepareConversation } = await import('./conversation/conversation.ts');
          return prepareConversation(settings as WidgetOptions);
        },
        () => import('./loader/early.ts'),
      ),
    );
    const { destroy } = widget;
    this.#widget = Object.assign(widget, {
      destroy: () => {
        const root = this.shadowRoot as ShadowRoot;
        root.replaceChildren();
        root.adoptedStyleSheets = [];
        this.style.removeProperty(ACCENT);
        return destroy();
      },
    });
  }

  #stop(): void {
    void this.#widget?.destroy();
    this.#widget = null;
  }

  #follow(): void {
    if (!this.#widget || !this.getAttribute('endpoint')?.trim()) {
      this.#stop();
      if (this.#isPlaced) this.#start();
      return;
    }
    const options = this.#read();
    const changes = findChanges(this.#shown, options);
    this.#shown = options;
    if (Object.keys(changes).length > 0) this.#widget.update(changes).catch(reportError);
  }
}

/** Returns the text of a value for an attribute: objects and lists of objects as JSON, a list of texts with commas. */
function toText(value: unknown): string {
  const isPlain = typeof value !== 'object' || (Array.isArray(value) && typeof value[0] !== 'object');
  return isPlain ? String(value) : JSON.stringify(value);
}

/** Describes a property that reads and writes its attribute. `undefined` removes the attribute. */
function reflect(name: string, { values }: AttributeDefinition): PropertyDescriptor {
  return {
    configurable: true,
    enumerable: true,
    get(this: Element) {
      const text = this.getAttribute(name)?.trim() || undefined;
      if (values === 'text') return text;
      if (values === 'switch') return text === 'true' ? true : text === 'false' ? false : undefined;
      return text !== undefined && values.includes(text) ? text : undefined;
    },
    set(this: Element, value: unknown) {
      if (value === undefined || value === null) this.removeAttribute(name);
      else this.setAttribute(name, toText(value));
    },
  };
}

for (const [name, definition] of REFLECTED)
  Object.defineProperty(NatterChatElement.prototype, definition.option, reflect(name, definition));

export interface NatterChatElement extends NatterChatProperties {
  addEventListener<Name extends keyof NatterChatEventMap>(
    type: Name,
    listener: (event: NatterChatEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'natter-chat': NatterChatElement;
  }
}

if (typeof customElements !== 'undefined' && !customElements.get('natter-chat')) {
  customElements.define('natter-chat', NatterChatElement);
}
