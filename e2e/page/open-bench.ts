import { expect, type Frame, type Page } from '@playwright/test';
import { ChatPanel } from './chat-panel.ts';

/** The test bench, and the page in its frame. */
export interface Bench {
  readonly page: Page;
  /** The page in the frame, with its widget. */
  readonly frame: Frame;
  readonly chat: ChatPanel;
  press(name: string): Promise<void>;
  showTab(name: 'Log' | 'Faults' | 'Frames' | 'Widget' | 'Recordings' | 'CSP'): Promise<void>;
}

/** Waits until the page in the bench's frame has its widget; `path` is a part of the page's address. */
export async function findFrame(page: Page, path = '/bench/pages/'): Promise<Frame> {
  const isThere = (frame: Frame): boolean => frame.name() === 'bench' && frame.url().includes(path);
  await expect.poll(() => page.frames().some(isThere)).toBe(true);
  const [frame] = page.frames().filter(isThere);
  if (!frame) throw new Error('The frame has gone.');
  await frame.locator('natter-chat').waitFor({ state: 'attached' });
  return frame;
}

/** Opens the test bench at an address. */
export async function openBench(page: Page, address: string): Promise<Bench> {
  await page.goto(address);
  const frame = await findFrame(page);
  return {
    page,
    frame,
    chat: new ChatPanel(frame),
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    showTab: (name) => page.getByRole('tab', { name, exact: true }).click(),
  };
}
