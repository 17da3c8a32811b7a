import { options, type VNode } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';

let view: MountedPanel;
let rendered: string[] = [];
const { diffed = () => {} } = options;

beforeEach(async () => {
  // Preact calls this for every component that it renders.
  options.diffed = (vnode: VNode) => {
    if (typeof vnode.type === 'function') rendered.push(vnode.type.name);
    diffed(vnode);
  };
  view = mountPanel();
  view.panel.open(false);
  view.chat.asks('When does the ferry leave?');
  view.chat.says('At nine.');
  view.chat.asks('And the last one?');
  await vi.waitFor(() => expect(view.all('.message')).toHaveLength(3));
  await timesWritten();
});
afterEach(() => {
  options.diffed = diffed;
  view.destroy();
});

/** Times are written when the browser is idle. */
const timesWritten = (): Promise<unknown> =>
  vi.waitFor(() => expect(view.all('time').map(({ textContent }) => textContent)).not.toContain(''));

const timesRendered = (component: string): number => rendered.filter((name) => name === component).length;

describe('a chunk of text', () => {
  it('changes one text node for a chunk, and renders its own message only', async () => {
    const answer = view.chat.says('The last', { isStreaming: true });
    await vi.waitFor(() => expect(view.all('.rich')).toHaveLength(2));
    await timesWritten();
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    observer.observe(view.root, { subtree: true, childList: true, characterData: true, attributes: true });
    rendered = [];
    const item = answer.peek();
    if (item.kind === 'agent') answer.value = { ...item, text: 'The last ferry' };
    await vi.waitFor(() => expect(view.all('.rich')[1]?.textContent).toBe('The last ferry'));
    observer.disconnect();
    expect(changes.map(({ type, target }) => [type, target.nodeName])).toEqual([['characterData', '#text']]);
    expect(timesRendered('AgentMessage')).toBe(1);
    expect(rendered).not.toContain('VisitorMessage');
    expect(rendered).not.toContain('MessageList');
    expect(rendered).not.toContain('Transcript');
    expect(rendered).not.toContain('Header');
  });
});

describe('a message of the visitor', () => {
  it('renders the list once for a message of the visitor, and nothing around it', async () => {
    rendered = [];
    view.panel.send('Thank you');
    await vi.waitFor(() => expect(view.all('.message')).toHaveLength(4));
    expect(timesRendered('MessageList')).toBe(1);
    expect(rendered).not.toContain('Transcript');
    expect(rendered).not.toContain('Composer');
    expect(rendered).not.toContain('Header');
  });
});

describe('a key press', () => {
  it('renders no row of the transcript for a key press', async () => {
    view.chat.setUnsent('a');
    await vi.waitFor(() => expect(view.find<HTMLTextAreaElement>('textarea').value).toBe('a'));
    rendered = [];
    view.chat.setUnsent('ab');
    await vi.waitFor(() => expect(view.find<HTMLTextAreaElement>('textarea').value).toBe('ab'));
    expect(rendered).toEqual([]);
  });
});
