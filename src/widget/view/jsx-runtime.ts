import type { Child, Key, Props, Ref, VNode } from './node.ts';

/**
 * What the compiler makes of a tag. A function that is not a `view` is called on the spot: it is only another way to
 * write the elements that it returns.
 */
export function jsx(type: string | ((props: Props) => VNode), props: Props, key?: Key): VNode {
  return typeof type === 'string' ? { type, props, key } : { ...type(props), key };
}

export { jsx as jsxs };

type Handler<E extends Event, Target = Element> =
  | ((event: E & { readonly currentTarget: Target }) => void)
  | undefined;

interface Attributes<E extends Element> {
  readonly key?: Key;
  readonly children?: Child;
  readonly ref?: Ref<E>;
  readonly class?: string | undefined;
  /** For style sheets of the page: `natter-chat::part(name)`. */
  readonly part?: string;
  readonly dir?: 'ltr' | 'rtl' | 'auto' | undefined;
  readonly role?: string;
  readonly tabIndex?: number;
  readonly title?: string;
  readonly onClick?: Handler<MouseEvent, E>;
  readonly onFocus?: Handler<FocusEvent>;
  readonly onBlur?: Handler<FocusEvent>;
  readonly onPointerEnter?: Handler<PointerEvent>;
  readonly onKeyDown?: Handler<KeyboardEvent>;
  readonly [name: `aria-${string}` | `data-${string}`]: string | number | boolean | undefined;
}

interface SvgAttributes extends Attributes<SVGElement> {
  readonly width?: number;
  readonly height?: number;
  readonly viewBox?: string;
  readonly d?: string;
}

type Plain =
  | 'article'
  | 'bdi'
  | 'br'
  | 'code'
  | 'div'
  | 'em'
  | 'figcaption'
  | 'figure'
  | 'footer'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'h4'
  | 'header'
  | 'i'
  | 'li'
  | 'main'
  | 'p'
  | 'pre'
  | 'section'
  | 'span'
  | 'strong'
  | 'table'
  | 'tbody'
  | 'td'
  | 'thead'
  | 'tr'
  | 'ul';

type PlainElements = { readonly [Tag in Plain]: Attributes<HTMLElementTagNameMap[Tag]> };

/** What the compiler checks tags against: the elements that the widget is made of, and no others. */
export namespace JSX {
  export type Element = VNode;
  export type ElementType = keyof IntrinsicElements | ((props: never) => VNode);

  export interface ElementChildrenAttribute {
    children: Child;
  }

  export interface IntrinsicAttributes {
    readonly key?: Key;
  }

  export interface IntrinsicElements extends PlainElements {
    readonly a: Attributes<HTMLAnchorElement> & {
      /** Without one it is no link. */
      readonly href: string | null;
      readonly target?: string;
      readonly rel?: string;
    };
    readonly button: Attributes<HTMLButtonElement> & { readonly type: 'button' | 'submit' };
    readonly form: Attributes<HTMLFormElement> & { readonly onSubmit?: Handler<SubmitEvent> };
    readonly img: Attributes<HTMLImageElement> & {
      readonly src: string;
      readonly alt: string;
      readonly referrerpolicy: 'no-referrer';
      readonly decoding?: 'async';
      readonly onLoad?: Handler<Event>;
      readonly onError?: Handler<Event>;
    };
    readonly ol: Attributes<HTMLOListElement> & { readonly start?: number };
    readonly path: SvgAttributes;
    readonly svg: SvgAttributes;
    readonly textarea: Attributes<HTMLTextAreaElement> & {
      readonly value: string;
      readonly rows?: number;
      readonly placeholder?: string;
      readonly enterkeyhint?: string;
      readonly autocomplete?: string;
      readonly onInput?: Handler<Event>;
    };
    readonly th: Attributes<HTMLTableCellElement> & { readonly scope?: 'col' };
    readonly time: Attributes<HTMLTimeElement> & { readonly dateTime?: string };
  }
}
