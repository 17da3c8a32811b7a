import { expect, it } from 'vitest';

it.each([
  ['index', ['EVENT_NAMES', 'mount']],
  ['element', ['NatterChatElement']],
])('%s of the widget can be imported where there is no page', async (entry, names) => {
  expect(typeof document).toBe('undefined');
  const module: Readonly<Record<string, unknown>> = await import(`../src/embed/${entry}.ts`);
  expect(Object.keys(module).toSorted()).toEqual(names);
});
