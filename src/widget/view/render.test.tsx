import { signal } from '@preact/signals-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type Child,
  createRef,
  render,
  useMounted,
  useOnce,
  useProvided,
  useSignal,
  useSignalEffect,
  view,
} from './index.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  document.body.replaceChildren();
});

function show(child: Child, context: unknown = null): HTMLElement {
  const parent = document.createElement('main');
  document.body.append(parent);
  stops.push(render(child, parent, context));
  return parent;
}

/** Drawings run in a microtask after the change that asked for them. */
const drawn = (): Promise<void> => Promise.resolve();

describe('elements', () => {
  it('get attributes, text and children; null, undefined, true and false draw nothing', () => {
    const parent = show(
      <p class="a" aria-hidden={false} data-n={3} title={''}>
        {null}
        {false}
        {true}
        {undefined}one {2} <em>three</em>
      </p>,
    );
    expect(parent.innerHTML).toBe(
      '<p class="a" aria-hidden="false" data-n="3" title="">one 2 <em>three</em></p>',
    );
  });

  it('follow a change attribute by attribute, and lose what is no longer said', async () => {
    const name = signal<string | undefined>('a');
    const View = view(() => <p class={name.value} data-part={name.value === 'a' ? 'x' : undefined} />);
    const parent = show(<View />);
    const element = parent.firstElementChild;
    name.value = 'b';
    await drawn();
    expect(parent.innerHTML).toBe('<p class="b"></p>');
    expect(parent.firstElementChild).toBe(element);
  });

  it('never take text for markup', () => {
    const parent = show(<p title={'"><img>'}>{'<img src=x onerror=alert(1)>'}</p>);
    expect(parent.querySelector('img')).toBeNull();
    expect(parent.textContent).toBe('<img src=x onerror=alert(1)>');
  });

  it('inside svg are of its namespace', () => {
    const parent = show(
      <svg viewBox="0 0 1 1" aria-hidden="true">
        <path d="M0 0" />
      </svg>,
    );
    const path = parent.querySelector('path');
    expect(path).toBeInstanceOf(SVGPathElement);
    expect(parent.querySelector('svg')?.getAttribute('viewBox')).toBe('0 0 1 1');
  });

  it('call the handler of the latest drawing, once', async () => {
    const calls: number[] = [];
    const count = signal(1);
    const View = view(() => {
      const now = count.value;
      return <button type="button" onClick={() => calls.push(now)} />;
    });
    const parent = show(<View />);
    parent.querySelector('button')?.click();
    count.value = 2;
    await drawn();
    parent.querySelector('button')?.click();
    expect(calls).toEqual([1, 2]);
  });

  it('with a value hold the drawn one, whatever was typed in between', async () => {
    const text = signal('a');
    const redraw = signal(0);
    const View = view(() => <textarea value={text.value} data-n={redraw.value} />);
    const field = show(<View />).querySelector('textarea');
    if (!field) throw new Error('The field is missing.');
    field.value = 'typed';
    redraw.value += 1;
    await drawn();
    expect(field.value).toBe('a');
  });

  it('are held by their ref while they are on the page', async () => {
    const ref = createRef<HTMLParagraphElement>();
    const isShown = signal(true);
    const View = view(() => <div>{isShown.value && <p ref={ref} />}</div>);
    const parent = show(<View />);
    expect(ref.current).toBe(parent.querySelector('p'));
    isShown.value = false;
    await drawn();
    expect(ref.current).toBeNull();
  });
});

describe('a list', () => {
  const Item = view<{ name: string }>(({ name }) => {
    const mark = useOnce(() => name.toUpperCase());
    return <li data-mark={mark}>{name}</li>;
  });
  const names = signal<readonly string[]>([]);
  const List = view(() => (
    <ul>
      {names.value.map((name) => (
        <Item key={name} name={name} />
      ))}
      <li>last</li>
    </ul>
  ));
  const texts = (parent: Element) => [...parent.querySelectorAll('li')].map(({ textContent }) => textContent);

  it.each([
    ['a b c', 'a b c d'],
    ['a b c', 'x a b c'],
    ['a b c', 'a c'],
    ['a b c', 'c b a'],
    ['a b c d e', 'e x b a'],
    ['a b', ''],
    ['', 'a b'],
  ])('goes from %j to %j and keeps the elements of those that stay', async (before, after) => {
    names.value = before.split(' ').filter(Boolean);
    const parent = show(<List />);
    const elements = new Map(
      [...parent.querySelectorAll('li')].map((element) => [element.textContent, element]),
    );
    names.value = after.split(' ').filter(Boolean);
    await drawn();
    expect(texts(parent)).toEqual([...names.value, 'last']);
    for (const element of parent.querySelectorAll('li')) {
      const known = elements.get(element.textContent);
      if (known) expect(element).toBe(known);
    }
  });
});

describe('a place', () => {
  it('keeps its state when a neighbour before it comes or goes', async () => {
    const isShown = signal(false);
    const Counter = view(() => <strong>{useOnce(() => Math.random())}</strong>);
    const View = view(() => (
      <div>
        {isShown.value && <p>first</p>}
        <Counter />
      </div>
    ));
    const parent = show(<View />);
    const before = parent.querySelector('strong');
    isShown.value = true;
    await drawn();
    expect(parent.querySelector('strong')).toBe(before);
    expect(parent.firstElementChild?.firstElementChild?.localName).toBe('p');
  });

  it('of a component that draws nothing is kept for when it does', async () => {
    const isShown = signal(false);
    const Maybe = view(() => (isShown.value ? <i>there</i> : null));
    const parent = show(
      <div>
        <strong>before</strong>
        <Maybe />
        <strong>after</strong>
      </div>,
    );
    isShown.value = true;
    await drawn();
    expect(parent.textContent).toBe('beforethereafter');
    isShown.value = false;
    await drawn();
    expect(parent.textContent).toBe('beforeafter');
  });

  it('is taken by another element where the tag changes', async () => {
    const isLink = signal(false);
    const Inner = view(() => (isLink.value ? <a href="https://x.example">x</a> : <strong>x</strong>));
    const Outer = view(() => <Inner />);
    const parent = show([<Outer key="a" />, <p key="b" />]);
    isLink.value = true;
    await drawn();
    expect(parent.innerHTML).toBe('<a href="https://x.example">x</a><p></p>');
  });
});

describe('a view', () => {
  it('is drawn again for the signals that its last drawing read, and for no others', async () => {
    const which = signal<'a' | 'b'>('a');
    const a = signal(1);
    const b = signal(1);
    const draw = vi.fn(() => <p>{which.value === 'a' ? a.value : b.value}</p>);
    const View = view(draw);
    const parent = show(<View />);
    b.value = 2;
    await drawn();
    expect(draw).toHaveBeenCalledTimes(1);
    which.value = 'b';
    await drawn();
    a.value = 2;
    await drawn();
    expect(draw).toHaveBeenCalledTimes(2);
    expect(parent.textContent).toBe('2');
  });

  it('is drawn once for several changes, and not by a parent that gives it the same', async () => {
    const one = signal(1);
    const two = signal(1);
    const inner = vi.fn(({ n }: { n: number }) => <i>{n}</i>);
    const Inner = view(inner);
    const outer = vi.fn(() => (
      <p>
        {one.value + two.value}
        <Inner n={7} />
      </p>
    ));
    const Outer = view(outer);
    show(<Outer />);
    one.value = 2;
    two.value = 2;
    await drawn();
    expect(outer).toHaveBeenCalledTimes(2);
    expect(inner).toHaveBeenCalledTimes(1);
  });

  it('is drawn once when its parent and its own signal call for it at the same time', async () => {
    const n = signal(1);
    const inner = vi.fn(({ from }: { from: number }) => <i>{from + n.value}</i>);
    const Inner = view(inner);
    const Outer = view(() => (
      <p>
        <Inner from={n.value} />
      </p>
    ));
    const parent = show(<Outer />);
    n.value = 2;
    await drawn();
    expect(parent.textContent).toBe('4');
    expect(inner).toHaveBeenCalledTimes(2);
  });

  it('that leaves together with its change is not drawn any more', async () => {
    const n = signal(1);
    const inner = vi.fn(() => <i>{n.value}</i>);
    const Inner = view(inner);
    const Outer = view(() => <p>{n.value === 1 && <Inner />}</p>);
    const parent = show(<Outer />);
    n.value = 2;
    await drawn();
    expect(inner).toHaveBeenCalledTimes(1);
    expect(parent.innerHTML).toBe('<p></p>');
  });

  it('tells those inside first that they are on the page, and each that it leaves', async () => {
    const told: string[] = [];
    const isShown = signal(true);
    const Named = view<{ name: string; children?: Child }>(({ name, children }) => {
      useMounted(() => {
        told.push(`+${name}${document.querySelector(`#${name}`) ? '' : ' too early'}`);
        return () => told.push(`-${name}`);
      });
      return (
        <div data-x={name}>
          <span {...{ id: name }} />
          {children}
        </div>
      );
    });
    const Root = view(() => (
      <div>
        {isShown.value && (
          <Named name="outer">
            <Named name="inner" />
          </Named>
        )}
      </div>
    ));
    show(<Root />);
    expect(told).toEqual(['+inner', '+outer']);
    isShown.value = false;
    await drawn();
    expect(told.slice(2).toSorted()).toEqual(['-inner', '-outer']);
  });

  it('runs its effects while it is on the page', async () => {
    const n = signal(1);
    const seen: number[] = [];
    const isShown = signal(true);
    const Inner = view(() => {
      useSignalEffect(() => void seen.push(n.value));
      return <i />;
    });
    const Outer = view(() => <p>{isShown.value && <Inner />}</p>);
    show(<Outer />);
    n.value = 2;
    isShown.value = false;
    await drawn();
    n.value = 3;
    expect(seen).toEqual([1, 2]);
  });

  it('keeps signals of its own, and is given what was given to `render`', async () => {
    const View = view(() => {
      const count = useSignal(0);
      return (
        <button type="button" onClick={() => (count.value += 1)}>
          {String(useProvided())} {count.value}
        </button>
      );
    });
    const parent = show(<View />, 'context');
    parent.querySelector('button')?.click();
    await drawn();
    expect(parent.textContent).toBe('context 1');
  });

  it('that fails is reported and keeps no other from being drawn', async () => {
    const n = signal(1);
    const Broken = view(() => {
      if (n.value === 2) throw new Error('broken view');
      return <i>{n.value}</i>;
    });
    const Sound = view(() => <strong>{n.value}</strong>);
    const reported: string[] = [];
    const onError = (event: ErrorEvent) => {
      event.preventDefault();
      reported.push(event.message);
    };
    window.addEventListener('error', onError);
    const parent = show(
      <div>
        <Broken />
        <Sound />
      </div>,
    );
    n.value = 2;
    await drawn();
    window.removeEventListener('error', onError);
    expect(parent.innerHTML).toBe('<div><i>1</i><strong>2</strong></div>');
    expect(reported).toEqual([expect.stringContaining('broken view')]);
  });
});

it('what was rendered is gone after its end, with everything that watched', async () => {
  const n = signal(1);
  const draw = vi.fn(() => <i>{n.value}</i>);
  const View = view(draw);
  const parent = document.createElement('main');
  const stop = render([<View key="a" />, 'text'], parent, null);
  expect(parent.childNodes).toHaveLength(2);
  stop();
  n.value = 2;
  await drawn();
  expect(parent.childNodes).toHaveLength(0);
  expect(draw).toHaveBeenCalledTimes(1);
});
