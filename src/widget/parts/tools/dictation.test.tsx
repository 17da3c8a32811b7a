import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import '../../../../test/widget/all-parts.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import { findEmojiKeys } from './emoji-keys.ts';

/** A recogniser that receives its results from the test. */
class FakeRecognition {
  static latest: FakeRecognition;
  lang = '';
  isAborted = false;
  onresult: ((event: object) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  onend: (() => void) | null = null;
  constructor() {
    FakeRecognition.latest = this;
  }
  start(): void {}
  abort(): void {
    this.isAborted = true;
    this.onend?.();
  }
  hear(...pieces: readonly string[]): void {
    this.onresult?.({ results: pieces.map((transcript) => [{ transcript }]) });
  }
}

let view: MountedPanel;
const mount = async (): Promise<void> => {
  view = mountPanel({ features: 'dictation emoji' });
  view.panel.open(true);
  await vi.waitFor(() => view.find('.chosen'));
};
beforeEach(() => vi.stubGlobal('SpeechRecognition', FakeRecognition));
afterEach(() => {
  view.destroy();
  vi.unstubAllGlobals();
});

const press = () => view.button('Dictate').click();
const isOn = () => view.button('Dictate').ariaPressed;
const field = () => view.find<HTMLTextAreaElement>('.field').value;

describe('dictation', () => {
  it('adds dictated words to the text, also while they may change, in the panel’s language', async () => {
    await mount();
    view.chat.setUnsent('Hello');
    press();
    await vi.waitFor(() => expect(isOn()).toBe('true'));
    const { latest } = FakeRecognition;
    expect(latest.lang).toMatch(/^en/);
    latest.hear('can I bin');
    await vi.waitFor(() => expect(field()).toBe('Hello can I bin'));
    latest.hear('can I bring ', 'my dog');
    await vi.waitFor(() => expect(field()).toBe('Hello can I bring my dog'));
    press();
    await vi.waitFor(() => expect(isOn()).toBe('false'));
    expect(latest.isAborted).toBe(true);
  });

  it('ends dictation when the message is sent, and ignores later words', async () => {
    await mount();
    press();
    await vi.waitFor(() => expect(isOn()).toBe('true'));
    const { latest } = FakeRecognition;
    latest.hear('my dog');
    await vi.waitFor(() => expect(field()).toBe('my dog'));
    view.find<HTMLFormElement>('.composer').requestSubmit();
    await vi.waitFor(() => expect(isOn()).toBe('false'));
    latest.hear('my dog and cat');
    expect([view.chat.unsent.value, latest.isAborted]).toEqual(['', true]);
    expect(view.chat.commands).toContain('send my dog');
  });

  it('ends dictation when the panel closes', async () => {
    await mount();
    press();
    view.panel.close(false);
    expect(FakeRecognition.latest.isAborted).toBe(true);
  });

  it.each([
    ['not-allowed', 'The microphone is blocked. Allow it in your browser settings.'],
    ['no-speech', 'We didn’t hear anything. Please try again.'],
    ['network', 'Dictation isn’t available right now.'],
  ])('says why dictation ended with %s', async (error, sentence) => {
    await mount();
    press();
    FakeRecognition.latest.onerror?.({ error });
    FakeRecognition.latest.onend?.();
    await vi.waitFor(() =>
      expect([view.find('.chosen-state').textContent, isOn()]).toEqual([sentence, 'false']),
    );
  });

  it('has no dictation button in a browser without speech recognition', async () => {
    vi.stubGlobal('SpeechRecognition', undefined);
    vi.stubGlobal('webkitSpeechRecognition', undefined);
    await mount();
    expect(view.all('[aria-label=Dictate]')).toEqual([]);
  });
});

it('shows the keys of the emoji picker with the focus in the composer, until the visitor types', async () => {
  vi.stubGlobal('navigator', { languages: ['en'], platform: 'MacIntel' });
  await mount();
  view.button('Emoji').click();
  await vi.waitFor(() =>
    expect(view.find('.chosen-state').textContent).toBe('Press ⌃ ⌘ Space to choose an emoji.'),
  );
  expect(view.root.activeElement?.className).toBe('field');
  view.chat.setUnsent('🐕');
  await vi.waitFor(() => expect(view.find('.chosen-state').textContent).toBe(''));
});

it.each([
  ['Windows', false, '⊞ + .'],
  ['Win32', true, null],
  ['Linux x86_64', false, null],
  ['iPhone', true, null],
])('shows the right keys of the emoji picker on %s', (platform, isTouch, keys) => {
  expect(findEmojiKeys(platform, isTouch)).toBe(keys);
});
