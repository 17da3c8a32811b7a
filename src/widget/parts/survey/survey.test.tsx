import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import type { WidgetOptions } from '../../options.ts';

const SURVEY = {
  id: 's',
  title: 'Rate your chat',
  question: 'How would you rate your experience?',
  scale: 'faces',
  canComment: false,
  status: 'open',
} as const;

let view: MountedPanel;
afterEach(() => {
  vi.useRealTimers();
  view.destroy();
});

async function ask(options: Partial<WidgetOptions> = {}, survey: object = {}): Promise<void> {
  view = mountPanel(options);
  view.panel.open(true);
  view.chat.survey.value = { ...SURVEY, ...survey };
  view.chat.session.value = { status: 'ended', by: 'agent' };
  await vi.waitFor(() => view.find('.survey'));
  await view.panel.texts.settle();
}

const scores = () => view.all('.survey-score');
const answers = () => view.chat.commands.filter((command) => command.startsWith('answerSurvey'));
const thanks = () => vi.waitFor(() => expect(view.all('.survey-thanks')).toHaveLength(1));

/** Moves the focus to the composer. A page in the background gets no focus events. */
function focusField(): void {
  view.find('.field').focus();
  view.find('.field').dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }));
}

/** Chooses a score on a platform that accepts comments, and writes one. */
async function comment(text: string): Promise<void> {
  await ask({}, { canComment: true });
  view.button('2 of 5').click();
  const field = await vi.waitFor(() => view.find<HTMLTextAreaElement>('.survey-comment textarea'));
  expect(view.find('.survey [role=status]').textContent).toBe('Thank you for your rating.');
  expect(scores().map(({ ariaPressed }) => ariaPressed)).toEqual([
    'false',
    'true',
    'false',
    'false',
    'false',
  ]);
  expect(answers()).toEqual([]);
  field.focus();
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

describe('the survey', () => {
  it('draws the survey as a group of five named faces, with targets of 44 px', async () => {
    await ask();
    expect(view.find('.survey [role=group]').ariaLabel).toBe(SURVEY.question);
    expect(scores().map((score) => score.ariaLabel)).toEqual([
      '1 of 5, Very bad',
      '2 of 5',
      '3 of 5',
      '4 of 5',
      '5 of 5, Very good',
    ]);
    const drawn = scores().map((score) => score.querySelector('path')?.getAttribute('d'));
    expect(new Set(drawn).size).toBe(5);
    // Layout sizes, because the panel may still be growing.
    for (const target of scores()) {
      expect(target.offsetHeight).toBeGreaterThanOrEqual(44);
      expect(target.offsetWidth).toBeGreaterThanOrEqual(44);
    }
  });

  it('draws stars for a survey that asks for them, filled up to the chosen one', async () => {
    await ask({}, { scale: 'stars', canComment: true });
    const filled = () =>
      view.all('.survey-score .icon').map((icon) => getComputedStyle(icon).fill !== 'none');
    expect(filled()).toEqual([false, false, false, false, false]);
    view.button('3 of 5').click();
    await vi.waitFor(() => expect(filled()).toEqual([true, true, true, false, false]));
  });

  it('answers the survey with one tap', async () => {
    await ask();
    view.button('4 of 5').focus();
    view.button('4 of 5').click();
    expect(answers()).toEqual(['answerSurvey 4']);
    await thanks();
    expect(view.root.activeElement).toBe(view.find('.survey-thanks'));
    expect(view.all('.survey')).toEqual([]);
  });

  it('sends a comment after the tap, in the same answer to the survey (EXT-7)', async () => {
    await comment('Too slow.');
    view.button('Send').click();
    expect(answers()).toEqual(['answerSurvey 2 Too slow.']);
    await thanks();
  });

  it.each<[string, () => void]>([
    ['the panel closes', () => view.panel.close(false)],
    ['the page goes', () => void dispatchEvent(new Event('pagehide'))],
    ['the visitor goes on to write', focusField],
    [
      'the visitor presses something else',
      () =>
        view
          .find('.ended .text-button')
          .dispatchEvent(new Event('pointerdown', { bubbles: true, composed: true })),
    ],
  ])('sends the chosen score when %s', async (_, leave) => {
    await comment('Too slow');
    leave();
    expect(answers()).toEqual(['answerSurvey 2 Too slow']);
    await thanks();
  });

  it('keeps the focus in the composer of a visitor who continues to write', async () => {
    await comment('');
    focusField();
    await thanks();
    expect(view.root.activeElement).toBe(view.find('.field'));
  });

  it('sends the chosen score before the platform stops waiting, and later ones at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await comment('Too slow');
    await vi.advanceTimersByTimeAsync(45_000);
    expect(answers()).toEqual(['answerSurvey 2 Too slow']);
    view.destroy();
    await ask({}, { canComment: true });
    await vi.advanceTimersByTimeAsync(45_000);
    expect(answers()).toEqual([]);
    view.button('5 of 5, Very good').click();
    expect(answers()).toEqual(['answerSurvey 5']);
  });

  it('disappears when the survey is skipped', async () => {
    await ask();
    view.button('Skip').click();
    expect(view.chat.commands).toContain('answerSurvey null');
    await vi.waitFor(() => expect(view.all('.survey, .survey-thanks')).toEqual([]));
    expect(view.root.activeElement).toBe(view.find('.field'));
  });

  it('asks the platform’s default questions in the panel’s language, and others unchanged', async () => {
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

  it('offers a new chat beside the survey', async () => {
    await ask();
    view.button('Start a new chat').click();
    await vi.waitFor(() => expect(view.chat.commands).toContain('newChat'));
  });
});
