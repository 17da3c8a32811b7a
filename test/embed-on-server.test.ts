import { expect, it } from 'vitest';

it.each([
  ['index', ['EVENT_NAMES', 'OPTION_NAMES', 'createComponentWidget', 'mount', 'writeOptions']],
  ['element', ['NatterChatElement']],
])('%s of the widget can be imported without a page', async (entry, names) => {
  expect(typeof document).toBe('undefined');
  const module: Readonly<Record<string, unknown>> = await import(`../src/embed/${entry}.ts`);
  expect(Object.keys(module).toSorted()).toEqual(names);
});

it('says that the widget needs a browser when it is called without one', async () => {
  const { mount } = await import('../src/embed/index.ts');
  expect(() => mount({ endpoint: 'https://chat.example.com' })).toThrow('mount() needs a browser');
});
