import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../testing/mount-panel.ts';

let view: MountedPanel;
afterEach(() => {
  vi.useRealTimers();
  view.destroy();
});

const announced = () => view.all('[aria-live=polite] > p').map((line) => line.textContent);

it('names a table by its rows, and leaves its cells to those who go there', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('Two fares:\n\n| Route | Fare |\n|---|--:|\n| Skarø | €64 |\n| Lund | €92 |\n\nWhich one?');
  await vi.waitFor(() =>
    expect(announced()).toEqual(['Ada says: Two fares:\n\nTable, 2 rows.\n\nWhich one?']),
  );
});

it('holds no copy of what was read: who goes through the page would meet each message twice', async () => {
  vi.useFakeTimers();
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('One.');
  await vi.advanceTimersByTimeAsync(5_000);
  view.chat.says('Two.');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(announced()).toEqual(['Ada says: One.', 'Ada says: Two.']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(announced()).toEqual(['Ada says: Two.']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(announced()).toEqual([]);
});
