/** Properties as written in TSX, `children` among them. */
export type Props = Readonly<Record<string, unknown>>;

/** An element by its tag, or a component by what draws it. Made by the JSX runtime and never changed. */
export interface VNode {
  readonly type: string | Draw;
  readonly props: Props;
  /** Tells the children of a list apart, so that each keeps its element and its state when the list changes. */
  readonly key: Key | null;
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
  children: Child,
  name = '',
  named: Map<string, VNode | string> = new Map(),
): ReadonlyMap<string, VNode | string> {
  if (isList(children)) {
    children.forEach((child, place) => {
      nameChildren(child, `${name}/${(isNode(child) ? child.key : null) ?? `#${place}`}`, named);
    });
  } else if (isNode(children)) named.set(name, children);
  else if (typeof children === 'string' || typeof children === 'number') named.set(name, String(children));
  return named;
}

// `Array.isArray` does not know of arrays that are read-only.
const isList: (child: Child) => child is readonly Child[] = Array.isArray;

const isNode = (child: Child): child is VNode =>
  typeof child === 'object' && child !== null && !isList(child);
