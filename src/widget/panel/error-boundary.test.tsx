import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAREN } from '../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';

let view: MountedPanel;
let reported: unknown[] = [];
beforeEach(() => {
  reported = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  view = mountPanel();
  view.panel.open(false);
});
afterEach(() => {
  view.destroy();
  vi.unstubAllGlobals();
});

const texts = () => view.all('.rich').map(({ textContent }) => textContent);

describe('a message that cannot be drawn', () => {
  it('reports a message that cannot be drawn, and draws all others', async () => {
    view.chat.says('One');
    // This number is not a valid date.
    view.chat.says('Two', { atMs: 9e15 });
    view.chat.says('Three', { atMs: Date.now() });
    await vi.waitFor(() => expect(texts()).toEqual(['One', 'Three']));
    expect(reported[0]).toBeInstanceOf(RangeError);
    view.chat.says('Four');
    await vi.waitFor(() => expect(texts()).toEqual(['One', 'Three', 'Four']));
  });

  it('draws a message that failed before as soon as that is possible', async () => {
    const message = view.chat.says('One', { atMs: 9e15 });
    await vi.waitFor(() => expect(reported[0]).toBeInstanceOf(RangeError));
    const item = message.peek();
    if (item.kind === 'agent') message.value = { ...item, atMs: Date.now() };
    view.chat.says('Two', { atMs: Date.now() });
    await vi.waitFor(() => expect(texts()).toEqual(['One', 'Two']));
  });
});

it('draws conversation and composer if the header cannot be drawn', async () => {
  view.destroy();
  view = mountPanel({ agentName: 5 as unknown as string });
  view.panel.open(false);
  view.chat.says('Hello', { speaker: MAREN });
  await vi.waitFor(() => expect(view.all('.header')).toHaveLength(0));
  expect(texts()).toEqual(['Hello']);
  expect(view.all('textarea')).toHaveLength(1);
  expect(reported[0]).toBeInstanceOf(TypeError);
});
