import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

let view: MountedPanel;
afterEach(() => {
  vi.useRealTimers();
  view.destroy();
});

const button = () => view.find<HTMLButtonElement>('.send');

async function startStory(): Promise<void> {
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('Once upon a', { isStreaming: true });
  view.chat.canStopAnswer.value = true;
  await vi.waitFor(() => expect(button().ariaLabel).toBe('Stop the answer'));
}

it('stops the streaming answer, and moves the focus to the composer', async () => {
  await startStory();
  button().focus();
  button().click();
  expect(view.chat.commands).toContain('stopAnswer');
  expect(view.root.activeElement).toBe(view.find('textarea'));
  view.chat.canStopAnswer.value = false;
  await vi.waitFor(() => expect(button().ariaLabel).toBe('Send message'));
  expect(button().getAttribute('aria-disabled')).toBe('true');
});

it('removes the stop button at the end of the answer, so that no press has no effect', async () => {
  await startStory();
  // No timer fires from here on.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  view.chat.canStopAnswer.value = false;
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  expect(button().ariaLabel).toBe('Send message');
});

it('shows the send button instead of the stop button as soon as the visitor types', async () => {
  await startStory();
  view.chat.setUnsent('Wait');
  await vi.waitFor(() => expect(button().ariaLabel).toBe('Send message'));
  button().click();
  expect(view.chat.commands).toContain('send Wait');
  expect(view.chat.commands).not.toContain('stopAnswer');
});

it('ignores the second click of a double click on the send button', async () => {
  await startStory();
  button().dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
  expect(view.chat.commands).not.toContain('stopAnswer');
});

it('draws a stopped answer as it was at that time, even in the middle of Markdown', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('Leave at **nine or', { isStopped: true });
  await vi.waitFor(() => expect(view.find('.rich').innerHTML).toContain('<strong>nine or</strong>'));
});

it('copies and announces a stopped answer without Markdown, like a complete one', async () => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('Leave at **nine or', { isStopped: true });
  await vi.waitFor(() => view.find('.rich strong'));
  view.button('Copy message').click();
  await vi.waitFor(() => expect(copied).toEqual(['Leave at nine or']));
  await vi.waitFor(() =>
    expect(view.find('[aria-live=polite] > p').textContent).toBe('Ada says: Leave at nine or Stopped'),
  );
});

it('says below a stopped answer and to screen readers that it was stopped', async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('Once upon a', { isStopped: true });
  await vi.waitFor(() => expect(view.find('.stopped').textContent).toBe('Stopped'));
  await vi.waitFor(() =>
    expect(view.all('[aria-live=polite] > p').map((line) => line.textContent)).toEqual([
      'Ada says: Once upon a Stopped',
    ]),
  );
});
