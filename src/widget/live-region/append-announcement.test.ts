import { expect, it } from 'vitest';
import { type Announcement, appendAnnouncement } from './append-announcement.ts';

it('keeps the latest six of any number of sentences, each by a name of its own', () => {
  let said: readonly Announcement[] = [];
  for (let count = 0; count < 1_000; count += 1) said = appendAnnouncement(said, `Announcement ${count}`);
  expect(said.map(({ text }) => text)).toEqual(
    [994, 995, 996, 997, 998, 999].map((count) => `Announcement ${count}`),
  );
  expect(new Set(said.map(({ id }) => id)).size).toBe(6);
});
