/** Properties as written in TSX, `children` among them. */
export type Props = Readonly<Record<string, unknown>>;

/** An element by its tag, a component by what draws it, or a text. Made by the JSX runtime and never changed. */
export interface VNode {
  /** Empty for a text, which is its property `data`. */
  readonly type: string | Draw;
  readonly props: Props;
  /** Tells the children of a list apart, so that each keeps its element and its state when the list changes. */
  readonly key?: Key | undefined;
}

export type Key = string | number;

/** What draws a component; null leaves its place empty. */
export type Draw = (props: Props) => VNode | null;

/** Whatever may stand between tags; null and booleans leave their place empty. */
export type Child = VNode | string | number | boolean | null | undefined | readonly Child[];

/** Holds the element that was made for `ref={…}` as long as it is on the page. */
export interface Ref<E extends Element> {
  current: E | null;
}

export function createRef<E extends Element>(): Ref<E> {
  return { current: null };
}

/**
 * The children to be drawn, by names that hold from one drawing to the next: a child of a list by its key, any other
 * by its place, so that a neighbour which comes or goes changes nothing for it.
 */
export function nameChildren(
  child: Child,
  name = '',
  named: Map<string, VNode> = new Map(),
): ReadonlyMap<string, VNode> {
  if (isList(child)) {
    child.forEach((each, place) => {
      // Only nodes have keys.
      nameChildren(each, `${name}/${(each as VNode | null)?.key ?? `#${place}`}`, named);
    });
  } else if (child != null && typeof child !== 'boolean') {
    named.set(name, typeof child === 'object' ? child : { type: '', props: { data: String(child) } });
  }
  return named;
}

// `Array.isArray` does not know of arrays that are read-only.
const isList: (child: Child) => child is readonly Child[] = Array.isArray;
