import { expect, it } from 'vitest';
import { mergeChanges } from './merge-changes.ts';

const handoff = (atMs: number, sharedId?: string) => ({
  id: 'CONV-1',
  handoff: { atMs, reason: 'asked', destination: `desk ${atMs}`, ...(sharedId && { sharedId }) },
});

it("keeps a second handoff, with the first one's shared id if it has none", () => {
  const { handoff: kept } = mergeChanges(handoff(1, 'C-1'), handoff(2));
  expect(kept).toMatchObject({ atMs: 2, destination: 'desk 2', sharedId: 'C-1' });
  expect(mergeChanges(handoff(1, 'C-1'), handoff(2, 'C-2')).handoff?.sharedId).toBe('C-2');
  expect(mergeChanges(handoff(1, 'C-1'), { id: 'CONV-1', language: 'fr' }).handoff).toMatchObject({
    sharedId: 'C-1',
  });
});
