import { afterEach, describe, expect, it, vi } from 'vitest';
import type { NatterWidget } from '../create-widget.ts';
import { mount } from '../mount.ts';

const widgets: NatterWidget[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const widget of widgets.splice(0)) await widget.destroy();
});

function place(endpoint: unknown): NatterWidget {
  vi.stubGlobal('reportError', () => undefined);
  // A script may pass a value of any type.
  const widget = mount({ endpoint: endpoint as string });
  widgets.push(widget);
  return widget;
}

describe('an invalid endpoint', () => {
  it.each([
    ['chat.example.com', 'chat.example.com'],
    ['natter/chat', 'natter/chat'],
    ['http://chat.example.com', 'http://chat.example.com'],
    ['http://ana:hunter2@chat.example.com/natter?key=1', 'http://chat.example.com/natter'],
    ['', ''],
    [undefined, 'undefined'],
  ])('reports an invalid endpoint in the diagnosis, with a remedy: %s', async (endpoint, shown) => {
    const ask = vi.fn();
    vi.stubGlobal('fetch', ask);
    const { findings, text } = await place(endpoint).doctor();
    expect(findings.find(({ check }) => check === 'token proxy')).toEqual({
      check: 'token proxy',
      status: 'fault',
      message: `The endpoint "${shown}" is not an https address. Set data-endpoint or endpoint to the full address of your token proxy, such as https://chat.example.com. Only localhost may use http.`,
    });
    expect(text).not.toMatch(/hunter2|key=1/);
    expect(ask).not.toHaveBeenCalled();
  });

  it('rejects every other command for an invalid endpoint', async () => {
    const widget = place('chat.example.com');
    await expect(widget.open()).rejects.toThrow('The endpoint "chat.example.com" is not an https address.');
    await expect(widget.send('Hello')).rejects.toThrow(TypeError);
  });
});
