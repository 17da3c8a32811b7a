import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WidgetOptions } from '../options.ts';
import { type MountedPanel, mountPanel } from '../testing/mount-panel.ts';

const SURVEY = {
  id: 's',
  title: 'Rate your chat',
  question: 'How would you rate your experience?',
  status: 'open',
} as const;

let view: MountedPanel;
afterEach(() => view.destroy());

async function ask(options: Partial<WidgetOptions> = {}, survey: object = {}): Promise<void> {
  view = mountPanel(options);
  view.panel.open(true);
  view.chat.survey.value = { ...SURVEY, ...survey };
  view.chat.session.value = { status: 'ended', by: 'agent' };
  await vi.waitFor(() => view.find('.survey'));
  await view.panel.texts.settle();
}

const radios = () => view.all('[role=radio]');
const checked = () => radios().flatMap((radio, index) => (radio.ariaChecked === 'true' ? [index + 1] : []));
const press = async (key: string) => {
  const active = view.root.activeElement ?? view.find('[role=radio]');
  active.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  await Promise.resolve();
};

describe('the survey', () => {
  it('is a radio group of five, with one stop for the tab key and targets of 44 px', async () => {
    await ask();
    expect(view.find('[role=radiogroup]').ariaLabel).toBe(SURVEY.question);
    expect(radios().map((radio) => radio.ariaLabel)).toEqual([
      '1 of 5, Very bad',
      '2 of 5',
      '3 of 5',
      '4 of 5',
      '5 of 5, Very good',
    ]);
    expect(radios().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1, -1]);
    // As they are laid out: the panel may still be growing to its size.
    for (const target of view.all('.survey button')) {
      expect(target.offsetHeight).toBeGreaterThanOrEqual(44);
      expect(target.offsetWidth).toBeGreaterThanOrEqual(44);
    }
  });

  it('sends what was chosen, and nothing before', async () => {
    await ask();
    view.button('Send rating').click();
    expect(view.chat.commands).not.toContainEqual(expect.stringContaining('answerSurvey'));
    view.button('4 of 5').click();
    await vi.waitFor(() => expect(checked()).toEqual([4]));
    view.button('Send rating').click();
    expect(view.chat.commands).toContain('answerSurvey 4');
    await vi.waitFor(() =>
      expect(view.find('.survey-thanks').textContent).toBe('Thank you for your rating.'),
    );
    expect(view.root.activeElement).toBe(view.find('.survey-thanks'));
    expect(view.all('.survey')).toEqual([]);
  });

  it('can be skipped, and then says no more', async () => {
    await ask();
    view.button('Skip').click();
    expect(view.chat.commands).toContain('answerSurvey null');
    await vi.waitFor(() => expect(view.all('.survey, .survey-thanks')).toEqual([]));
    expect(view.root.activeElement).toBe(view.find('.field'));
  });

  it.each([
    ['en', 'ArrowRight', 'ArrowLeft'],
    ['ar', 'ArrowLeft', 'ArrowRight'],
  ])('goes round with the arrows, as one reads in "%s"', async (language, onward, back) => {
    await ask();
    view.chat.language.value = language;
    await vi.waitFor(() => expect(view.find('.panel').dir).toBe(language === 'ar' ? 'rtl' : 'ltr'));
    radios()[0]?.focus();
    for (const [key, score] of [
      [onward, 1],
      [onward, 2],
      ['ArrowDown', 3],
      [back, 2],
      ['ArrowUp', 1],
      [back, 5],
      [onward, 1],
    ] as const) {
      await press(key);
      await vi.waitFor(() => expect(checked()).toEqual([score]));
      expect(view.root.activeElement).toBe(radios()[score - 1]);
    }
  });

  it('asks the platform’s own questions in the language of the panel, and others as they are', async () => {
    await ask();
    view.chat.language.value = 'de';
    await vi.waitFor(() => expect(view.find('.survey-title').textContent).toBe('Bewerten Sie den Chat'));
    view.destroy();
    await ask({}, { title: 'How was Ada?', question: 'Tell us.' });
    expect([view.find('.survey-title').textContent, view.find('.survey-question').textContent]).toEqual([
      'How was Ada?',
      'Tell us.',
    ]);
  });

  it('leaves the way to a new chat open', async () => {
    await ask();
    view.button('Start a new chat').click();
    await vi.waitFor(() => expect(view.chat.commands).toContain('newChat'));
  });
});
