import { effect } from '@preact/signals-core';
import { type Child, type Draw, nameChildren, type Props, type Ref, type VNode } from './node.ts';

export type Cleanup = () => void;

/** What a component keeps between drawings, in the order in which it asks for it. */
export interface Life {
  readonly kept: unknown[];
  nextKept: number;
  /** Run once the component is on the page; what they return runs when it leaves. */
  readonly onMounted: (() => Cleanup | undefined)[];
  /** What was given to `render`. */
  readonly context: unknown;
}

interface Component extends Life {
  /** How deep it stands: parents are drawn before what they contain. */
  readonly depth: number;
  isDue: boolean;
  stopWatching: Cleanup;
  cleanups: readonly (Cleanup | undefined)[];
}

/** Something on the page, with what it was drawn from. */
interface Mounted {
  drawn: VNode | string;
  readonly place: Place;
  /** Null for a component, which is on the page as what it has drawn. */
  readonly node: Node | null;
  /** By name; what a component has drawn is its only child. */
  children: ReadonlyMap<string, Mounted>;
  readonly component: Component | null;
}

/** What holds for everything inside an element or a component. */
interface Place {
  readonly context: unknown;
  readonly depth: number;
  readonly isSvg: boolean;
}

const SVG = 'http://www.w3.org/2000/svg';
const NO_PROPS: Props = {};
const NO_CHILDREN: ReadonlyMap<string, Mounted> = new Map();

/** The component that is being drawn: what the `use…` functions belong to. Drawing is synchronous and never nests. */
export let drawing: Life;

/** Components of which a signal has changed; drawn together in the next microtask. */
let due: Mounted[] = [];
/** Components that have come onto the page with the present change, children first. */
let arrived: Component[] = [];

/** Renders `child` into an empty element and returns what takes it away. Views below get `context` by `useProvided`. */
export function render(child: Child, parent: Element, context: unknown): Cleanup {
  const place: Place = { context, depth: 0, isSvg: false };
  const children = drawChildren(parent, NO_CHILDREN, child, place);
  welcome();
  return () => {
    for (const mounted of children.values()) remove(mounted);
  };
}

function mount(drawn: VNode | string, place: Place): Mounted {
  if (typeof drawn === 'string') {
    const node = document.createTextNode(drawn);
    return { drawn, place, node, children: NO_CHILDREN, component: null };
  }
  const { type, props } = drawn;
  return typeof type === 'string'
    ? mountElement(drawn, type, props, place)
    : mountComponent(drawn, type, place);
}

function mountElement(drawn: VNode, tag: string, props: Props, outside: Place): Mounted {
  const isSvg = outside.isSvg || tag === 'svg';
  const place = { ...outside, isSvg };
  const node = isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  setProps(node, NO_PROPS, props);
  const children = drawChildren(node, NO_CHILDREN, readChildren(props), place);
  setRef(props, node);
  return { drawn, place, node, children, component: null };
}

function mountComponent(drawn: VNode, draw: Draw, outside: Place): Mounted {
  const place = { ...outside, depth: outside.depth + 1 };
  const component: Component = {
    kept: [],
    nextKept: 0,
    onMounted: [],
    context: place.context,
    depth: place.depth,
    isDue: false,
    stopWatching: () => {},
    cleanups: [],
  };
  const mounted: Mounted = { drawn, place, node: null, children: NO_CHILDREN, component };
  mounted.children = new Map([['', mount(watch(mounted, component, draw, drawn.props), place)]]);
  arrived.push(component);
  return mounted;
}

/** Draws a component, and has it drawn again as soon as a signal changes that this drawing has read. */
function watch(mounted: Mounted, component: Component, draw: Draw, props: Props): VNode | string {
  let result: VNode | null = null;
  let isDrawn = false;
  component.isDue = false;
  component.stopWatching();
  component.stopWatching = effect(() => {
    if (isDrawn) {
      component.isDue = true;
      if (due.length === 0) queueMicrotask(drawDue);
      due.push(mounted);
      return;
    }
    isDrawn = true;
    drawing = component;
    component.nextKept = 0;
    result = draw(props);
  });
  // An empty text keeps the place of a component that draws nothing.
  return result ?? '';
}

function drawDue(): void {
  const batch = due.toSorted((a, b) => a.place.depth - b.place.depth);
  due = [];
  for (const mounted of batch) {
    // A parent may have drawn it already, or taken it away.
    if (mounted.component?.isDue) redraw(mounted);
  }
  welcome();
}

function redraw(mounted: Mounted): void {
  const { drawn, component, children } = mounted;
  const before = children.get('');
  if (!component || !before || typeof drawn === 'string' || typeof drawn.type === 'string') return;
  try {
    const after = watch(mounted, component, drawn.type, drawn.props);
    mounted.children = new Map([['', update(before, after)]]);
  } catch (error) {
    // What one view cannot draw keeps no other from being drawn.
    reportError(error);
  }
}

/** Brings what stands in a place in line with `drawn`, and returns what stands there then. */
function update(mounted: Mounted, drawn: VNode | string): Mounted {
  const before = mounted.drawn;
  if (before === drawn) return mounted;
  if (typeof before === 'string' || typeof drawn === 'string' || before.type !== drawn.type) {
    return replace(mounted, drawn);
  }
  mounted.drawn = drawn;
  const { node, component, children, place } = mounted;
  if (node instanceof Element) {
    setProps(node, before.props, drawn.props);
    mounted.children = drawChildren(node, children, readChildren(drawn.props), place);
    setRef(drawn.props, node);
  } else if (component?.isDue || hasChanged(before.props, drawn.props)) redraw(mounted);
  return mounted;
}

function replace(mounted: Mounted, drawn: VNode | string): Mounted {
  const { node, place, component } = mounted;
  if (node instanceof Text && typeof drawn === 'string') {
    node.data = drawn;
    mounted.drawn = drawn;
    return mounted;
  }
  const outside = component ? { ...place, depth: place.depth - 1 } : place;
  const next = mount(drawn, outside);
  nodeOf(mounted).parentNode?.insertBefore(nodeOf(next), nodeOf(mounted));
  remove(mounted);
  return next;
}

function drawChildren(
  parent: Element,
  before: ReadonlyMap<string, Mounted>,
  children: Child,
  place: Place,
): ReadonlyMap<string, Mounted> {
  const named = nameChildren(children);
  for (const [name, mounted] of before) if (!named.has(name)) remove(mounted);
  const after = new Map<string, Mounted>();
  let previous: Node | null = null;
  for (const [name, drawn] of named) {
    const known = before.get(name);
    const mounted = known ? update(known, drawn) : mount(drawn, place);
    const node = nodeOf(mounted);
    const next: Node | null = previous ? previous.nextSibling : parent.firstChild;
    if (node !== next) parent.insertBefore(node, next);
    previous = node;
    after.set(name, mounted);
  }
  return after;
}

/** The node that stands on the page for something. */
function nodeOf({ node, children }: Mounted): Node {
  // A component has one child, down to an element or a text.
  return node ?? nodeOf(children.get('') as Mounted);
}

function remove(mounted: Mounted): void {
  const node = nodeOf(mounted);
  leave(mounted);
  node.parentNode?.removeChild(node);
}

function leave({ drawn, component, children }: Mounted): void {
  if (component) {
    component.isDue = false;
    component.stopWatching();
    for (const cleanup of component.cleanups) cleanup?.();
  }
  if (typeof drawn !== 'string') setRef(drawn.props, null);
  for (const child of children.values()) leave(child);
}

function welcome(): void {
  const components = arrived;
  arrived = [];
  for (const component of components) component.cleanups = component.onMounted.map((run) => run());
}

function hasChanged(before: Props, after: Props): boolean {
  return Object.keys({ ...before, ...after }).some((name) => before[name] !== after[name]);
}

/** The types in `jsx-runtime` say what stands behind the names of an element's properties. */
const readChildren = (props: Props): Child => props['children'] as Child;

function setRef(props: Props, node: Element | null): void {
  const ref = props['ref'] as Ref<Element> | undefined;
  if (ref) ref.current = node;
}

function setProps(element: Element, before: Props, after: Props): void {
  for (const name of Object.keys({ ...before, ...after })) {
    const value = after[name];
    if (name === 'value') {
      // The field may hold something newer than the last drawing.
      if (Reflect.get(element, name) !== value) Reflect.set(element, name, value);
    } else if (value === before[name] || name === 'children' || name === 'ref') continue;
    else if (name.startsWith('on')) Reflect.set(element, name.toLowerCase(), value ?? null);
    else if (name === 'style') setStyle(element, value as Readonly<Record<string, string>>);
    else if (value == null) element.removeAttribute(name);
    else element.setAttribute(name, String(value));
  }
}

function setStyle(element: Element, style: Readonly<Record<string, string>>): void {
  if (!(element instanceof HTMLElement)) return;
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
}
