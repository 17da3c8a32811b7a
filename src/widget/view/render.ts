import { effect } from '@preact/signals-core';
import { pageDocument } from '../page-document.ts';
import { type Child, type Draw, nameChildren, type Ref, type VNode } from './node.ts';

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

type Children = Map<string, Mounted>;

/** An element or a text on the page, with what it was drawn from. */
interface Standing {
  drawn: VNode;
  readonly node: Element & Record<string, unknown>;
  children: Children;
}

/** It is on the page as what it has drawn: its only child, down to an element or a text. */
interface Component extends Life {
  drawn: VNode;
  readonly node: null;
  children: Children;
  /** Those before it have lower ones: parents are drawn before what they contain. */
  readonly number: number;
  stopWatching: Cleanup;
  cleanups: readonly (Cleanup | undefined)[];
}

type Mounted = Standing | Component;

const SVG = 'http://www.w3.org/2000/svg';
const NOTHING: VNode = { type: '', props: {} };

/** The component that is being drawn: what the `use…` functions belong to. Drawing is synchronous and never nests. */
export let drawing: Life;

/** The context of what is being drawn. */
let provided: unknown;
let components = 0;
/** Components of which a signal has changed; drawn together in the next microtask. */
const due: Set<Component> = new Set();
/** Components that have come onto the page with the present change, children first. */
let arrived: Component[] = [];

/** Renders `child` into an empty element and returns what takes it away. Views below get `context` by `useProvided`. */
export function render(child: Child, parent: Element, context: unknown): Cleanup {
  provided = context;
  const children = drawChildren(parent, new Map(), child, null);
  welcome();
  return () => {
    for (const mounted of children.values()) remove(mounted);
  };
}

function mount(drawn: VNode, parent: Element, previous: Node | null): Mounted {
  const { type } = drawn;
  if (typeof type !== 'string') {
    components += 1;
    const component: Component = {
      drawn,
      node: null,
      children: new Map(),
      kept: [],
      nextKept: 0,
      onMounted: [],
      context: provided,
      number: components,
      stopWatching: () => {},
      cleanups: [],
    };
    draw(component, parent, previous);
    arrived.push(component);
    return component;
  }
  const node = type
    ? pageDocument.createElementNS(type === 'svg' ? SVG : parent.namespaceURI, type)
    : // An element that has neither attributes nor children, as far as this file is concerned.
      new Text();
  const standing: Standing = { drawn: NOTHING, node: node as Node as Standing['node'], children: new Map() };
  update(standing, drawn);
  return standing;
}

/** Draws a component, and has it drawn again as soon as a signal changes that this drawing has read. */
function draw(component: Component, parent: Element, previous: Node | null): void {
  const { type, props } = component.drawn;
  let result: VNode | null = null;
  let isDrawn = false;
  due.delete(component);
  component.stopWatching();
  component.stopWatching = effect(() => {
    if (isDrawn) {
      due.add(component);
      queueMicrotask(drawDue);
      return;
    }
    isDrawn = true;
    drawing = component;
    component.nextKept = 0;
    result = (type as Draw)(props);
  });
  // An empty text keeps the place of a component that draws nothing.
  component.children = drawChildren(parent, component.children, result ?? '', previous);
}

function drawDue(): void {
  for (const component of [...due].toSorted((a, b) => a.number - b.number)) {
    // A parent may have drawn it already, or taken it away.
    if (due.has(component)) redraw(component);
  }
  welcome();
}

function redraw(component: Component): void {
  const node = nodeOf(component);
  provided = component.context;
  try {
    draw(component, node.parentNode as Element, node.previousSibling);
  } catch (error) {
    // What one view cannot draw keeps no other from being drawn.
    reportError(error);
  }
}

/** Brings what is on the page in line with something of the same type. */
function update(mounted: Mounted, drawn: VNode): void {
  const { children: childrenBefore, ...before } = mounted.drawn.props;
  const { children, ...after } = drawn.props;
  mounted.drawn = drawn;
  const changed = Object.keys({ ...before, ...after }).filter(
    // A field may hold something newer than the last drawing.
    (name) => name === 'value' || before[name] !== after[name],
  );
  if (mounted.node) {
    for (const name of changed) setProp(mounted.node, name, after[name]);
    if (children !== childrenBefore)
      mounted.children = drawChildren(mounted.node, mounted.children, children as Child, null);
  } else if (due.has(mounted) || changed.length > 0) redraw(mounted);
}

/** The types in `jsx-runtime` say what stands behind the names of an element's properties. */
function setProp(node: Standing['node'], name: string, value: unknown): void {
  if (name === 'ref') (value as Ref<Element>).current = node;
  else if (/^(?:value|data|on.*)$/.test(name)) {
    // A field that has it already keeps its caret.
    const property = name.toLowerCase();
    if (node[property] !== value) node[property] = value;
  } else if (value == null) node.removeAttribute(name);
  else node.setAttribute(name, String(value));
}

/** Draws into `parent`, from `previous` on. */
function drawChildren(parent: Element, before: Children, child: Child, previous: Node | null): Children {
  const named = nameChildren(child);
  for (const [name, mounted] of before) {
    if (named.get(name)?.type === mounted.drawn.type) continue;
    before.delete(name);
    remove(mounted);
  }
  const after: Children = new Map();
  for (const [name, drawn] of named) {
    const known = before.get(name);
    if (known) update(known, drawn);
    const mounted = known ?? mount(drawn, parent, previous);
    const node = nodeOf(mounted);
    const next: Node | null = previous ? previous.nextSibling : parent.firstChild;
    if (node !== next) parent.insertBefore(node, next);
    previous = node;
    after.set(name, mounted);
  }
  return after;
}

/** The node that stands on the page for something. */
function nodeOf({ node, children }: Mounted): Element {
  return node ?? nodeOf(children.get('') as Mounted);
}

function remove(mounted: Mounted): void {
  leave(mounted);
  const node = nodeOf(mounted);
  const { parentElement } = node;
  // A text has no such question to answer.
  const hasFocus = node.matches?.(':focus-within');
  node.remove();
  // The keyboard goes on near by, and not at the beginning of the page.
  if (hasFocus) parentElement?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
}

function leave(mounted: Mounted): void {
  if (!mounted.node) {
    due.delete(mounted);
    mounted.stopWatching();
    for (const cleanup of mounted.cleanups) cleanup?.();
  }
  const ref = mounted.drawn.props['ref'] as Ref<Element> | undefined;
  if (ref) ref.current = null;
  for (const child of mounted.children.values()) leave(child);
}

function welcome(): void {
  const present = arrived;
  arrived = [];
  for (const component of present) component.cleanups = component.onMounted.map((run) => run());
}
