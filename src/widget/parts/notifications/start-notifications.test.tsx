import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import { playTone } from '../tone/play-tone.ts';

// Loads the lazy part up front, because its loading is not tested here.
import './index.ts';

let view: MountedPanel;
let isHidden = false;
/** Hertz of every note that was played. */
let notes: number[] = [];

class FakeAudio {
  readonly currentTime = 0;
  readonly destination = {};
  createGain() {
    const gain = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
    return { gain, connect: (next: unknown) => next };
  }
  createOscillator() {
    const frequency = { value: 0 };
    const oscillator = {
      frequency,
      onended: () => {},
      connect: (next: unknown) => next,
      start: () => notes.push(frequency.value),
      stop: () => queueMicrotask(() => oscillator.onended()),
    };
    return oscillator;
  }
  close() {
    return Promise.resolve();
  }
}

const hide = (hidden: boolean): void => {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
};

/** A panel with a conversation. */
async function talk(): Promise<void> {
  view = mountPanel();
  view.panel.open(true);
  view.chat.asks('Hello');
  await vi.waitFor(() => view.find('.time'));
}

async function toggleSound(): Promise<void> {
  view.button('More').click();
  await vi.waitFor(() => view.find('[role=menuitemcheckbox]').click());
  view.button('More').click();
}

beforeEach(() => {
  isHidden = false;
  notes = [];
  localStorage.clear();
  document.title = 'Kittiwake Ferries';
  vi.spyOn(Document.prototype, 'hidden', 'get').mockImplementation(() => isHidden);
  vi.spyOn(Document.prototype, 'visibilityState', 'get').mockImplementation(() =>
    isHidden ? 'hidden' : 'visible',
  );
  vi.stubGlobal('AudioContext', FakeAudio);
  vi.spyOn(navigator, 'userActivation', 'get').mockReturnValue({ hasBeenActive: true, isActive: true });
  // Every tone finds no other tab at it.
  vi.spyOn(navigator.locks, 'request').mockImplementation((async (
    _: string,
    __: LockOptions,
    use: LockGrantedCallback<unknown>,
  ) => use({ name: 'natter-tone', mode: 'exclusive' })) as LockManager['request']);
});
afterEach(() => {
  vi.useRealTimers();
  view?.destroy();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('the title of the page', () => {
  it('counts what comes in while the tab is hidden, and is as before when it is seen', async () => {
    await talk();
    view.chat.unread.value = 1;
    await vi.waitFor(() => expect(view.chat.unread.value).toBe(0));
    expect(document.title).toBe('Kittiwake Ferries');
    hide(true);
    view.chat.unread.value = 2;
    await vi.waitFor(() => expect(document.title).toBe('(2) Kittiwake Ferries'));
    hide(false);
    await vi.waitFor(() => expect(document.title).toBe('Kittiwake Ferries'));
  });

  it('is given back when the widget goes', async () => {
    await talk();
    hide(true);
    view.chat.unread.value = 1;
    await vi.waitFor(() => expect(document.title).toBe('(1) Kittiwake Ferries'));
    view.destroy();
    expect(document.title).toBe('Kittiwake Ferries');
  });

  it('counts in a conversation in which only the agent has spoken', async () => {
    view = mountPanel();
    hide(true);
    view.chat.says('Hello, is anybody there?');
    view.chat.unread.value = 1;
    await vi.waitFor(() => expect(document.title).toBe('(1) Kittiwake Ferries'));
  });
});

describe('the tone', () => {
  it('is off until the visitor turns it on, and nothing is stored before', async () => {
    await talk();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    hide(true);
    view.chat.unread.value = 1;
    expect(vi.getTimerCount()).toBe(0);
    expect(localStorage).toHaveLength(0);
  });

  it('is heard when it is turned on, then for news in a hidden tab or with the panel closed', async () => {
    await talk();
    await toggleSound();
    await vi.waitFor(() => expect(notes).toHaveLength(2));
    hide(true);
    view.chat.unread.value = 1;
    await vi.waitFor(() => expect(notes).toHaveLength(4));
    hide(false);
    view.panel.close(false);
    view.chat.unread.value = 2;
    await vi.waitFor(() => expect(notes).toHaveLength(6));
  });

  it('is not heard for what the visitor sees, or has read in another tab meanwhile', async () => {
    await talk();
    await toggleSound();
    await vi.waitFor(() => expect(notes).toHaveLength(2));
    // So that the code for it is there.
    hide(true);
    view.chat.unread.value = 1;
    await vi.waitFor(() => expect(document.title).toBe('(1) Kittiwake Ferries'));
    hide(false);
    await vi.waitFor(() => expect(view.chat.unread.value).toBe(0));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    view.chat.unread.value = 1;
    expect(vi.getTimerCount()).toBe(0);
    hide(true);
    view.chat.unread.value = 1;
    expect(vi.getTimerCount()).toBe(1);
    view.chat.unread.value = 0;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is remembered, and forgotten when it is turned off', async () => {
    await talk();
    await toggleSound();
    await vi.waitFor(() => expect(localStorage.getItem('natter-sound')).toBe('on'));
    view.destroy();
    await talk();
    view.button('More').click();
    await vi.waitFor(() => expect(view.find('[role=menuitemcheckbox]').ariaChecked).toBe('true'));
    view.find('[role=menuitemcheckbox]').click();
    await vi.waitFor(() => expect(view.find('[role=menuitemcheckbox]').ariaChecked).toBe('false'));
    expect(localStorage).toHaveLength(0);
  });

  it('is silent where the browser would hold it back, and where another tab sounds', async () => {
    await playTone();
    expect(notes).toHaveLength(2);
    vi.spyOn(navigator, 'userActivation', 'get').mockReturnValueOnce({
      hasBeenActive: false,
      isActive: false,
    });
    await playTone();
    expect(notes).toHaveLength(2);
    vi.spyOn(navigator.locks, 'request').mockImplementation((async (
      _: string,
      __: LockOptions,
      use: LockGrantedCallback<unknown>,
    ) => use(null)) as LockManager['request']);
    await playTone();
    expect(notes).toHaveLength(2);
  });

  it('can be turned on where storage is blocked, for as long as the page lives', async () => {
    vi.stubGlobal('localStorage', undefined);
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    await talk();
    await toggleSound();
    await vi.waitFor(() => expect(notes).toHaveLength(2));
  });
});
