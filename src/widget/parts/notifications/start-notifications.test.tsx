import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import { playTone } from '../tone/play-tone.ts';

// Loads the lazy part up front, because its loading is not tested here.
import './index.ts';

let view: MountedPanel;
let isHidden = false;
/** Frequencies of all played notes in hertz. */
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

/** Opens a panel with a conversation. */
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
  // No other tab ever holds the lock of the sound.
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
  it('counts new messages in the page’s title while the tab is hidden, and restores it when it is visible', async () => {
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

  it('restores the page’s title when the widget is destroyed', async () => {
    await talk();
    hide(true);
    view.chat.unread.value = 1;
    await vi.waitFor(() => expect(document.title).toBe('(1) Kittiwake Ferries'));
    view.destroy();
    expect(document.title).toBe('Kittiwake Ferries');
  });

  it('counts messages in the title if only the agent has written', async () => {
    view = mountPanel();
    hide(true);
    view.chat.says('Hello, is anybody there?');
    view.chat.unread.value = 1;
    await vi.waitFor(() => expect(document.title).toBe('(1) Kittiwake Ferries'));
  });
});

describe('the tone', () => {
  it('has no sound until the visitor enables it, and stores nothing before', async () => {
    await talk();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    hide(true);
    view.chat.unread.value = 1;
    expect(vi.getTimerCount()).toBe(0);
    expect(localStorage).toHaveLength(0);
  });

  it('plays the sound when it is enabled, then for messages in a hidden tab or with the panel closed', async () => {
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

  it('plays no sound for messages that the visitor sees, or has read in another tab', async () => {
    await talk();
    await toggleSound();
    await vi.waitFor(() => expect(notes).toHaveLength(2));
    // Loads the code for notifications.
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

  it('stores that the sound is enabled, and removes that when it is disabled', async () => {
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

  it('plays no sound if the browser would delay it, or another tab has played it', async () => {
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

  it('enables the sound for as long as the page if storage is blocked', async () => {
    vi.stubGlobal('localStorage', undefined);
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    await talk();
    await toggleSound();
    await vi.waitFor(() => expect(notes).toHaveLength(2));
  });
});
