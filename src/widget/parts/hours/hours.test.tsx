import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAREN } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import type { WidgetOptions } from '../../options.ts';
import { parseHours } from './parse-hours.ts';
import { createZoneClock, selectOpening } from './select-opening.ts';

const WEEK = 'Mo-Fr 09:00-17:00; Sa 10:00-14:00';
const berlin = createZoneClock('Europe/Berlin');

/** Whether the team is there at a moment, and when that changes. */
const at = (hours: string, moment: string, zone = 'Europe/Berlin') => {
  const { isOpen, changesAtMs } = selectOpening(parseHours(hours), createZoneClock(zone), Date.parse(moment));
  return [isOpen, new Date(changesAtMs).toISOString()];
};

describe('business hours', () => {
  it.each([
    ['2026-07-14T06:59:00Z', false, '2026-07-14T07:00:00.000Z'],
    ['2026-07-14T07:00:00Z', true, '2026-07-14T15:00:00.000Z'],
    ['2026-07-14T15:00:00Z', false, '2026-07-15T07:00:00.000Z'],
    ['2026-07-18T12:00:00Z', false, '2026-07-20T07:00:00.000Z'],
    // In winter.
    ['2026-01-13T08:00:00Z', true, '2026-01-13T16:00:00.000Z'],
    // The clocks change on the Sunday in between, in either direction.
    ['2026-03-28T18:00:00Z', false, '2026-03-30T07:00:00.000Z'],
    ['2026-10-24T18:00:00Z', false, '2026-10-26T08:00:00.000Z'],
  ])('at %s are as the clock in Berlin says', (moment, isOpen, changesAt) => {
    expect(at(WEEK, moment)).toEqual([isOpen, changesAt]);
  });

  it('go over midnight, over the end of the week, and have pauses', () => {
    expect(at('Sa-Su 20:00-02:00', '2026-07-13T23:30:00Z', 'UTC')).toEqual([
      false,
      '2026-07-18T20:00:00.000Z',
    ]);
    expect(at('Sa-Su 20:00-02:00', '2026-07-13T01:30:00Z', 'UTC')).toEqual([
      true,
      '2026-07-13T02:00:00.000Z',
    ]);
    expect(at('Mo,We 09:00-12:00, 13:00-17:00', '2026-07-15T12:30:00Z', 'UTC')).toEqual([
      false,
      '2026-07-15T13:00:00.000Z',
    ]);
    expect(at('Fr-Mo 00:00-24:00', '2026-07-12T12:00:00Z', 'UTC')[0]).toBe(true);
  });

  it.each([
    '',
    'always',
    'Mo-Fr',
    'Mo-Fr 9-17',
    'Mo 09:00-25:00',
    'Xx 09:00-17:00',
    'Mo-Fr 09:00-17:60',
    'Mo 09:00-17:00 Sa',
  ])('that cannot be read are refused with an example: %j', (text) => {
    expect(() => parseHours(text)).toThrow(/has an invalid part: .* Write them like this: Mo-Fr 09:00/);
  });

  it('refuses business hours of an unknown time zone', () => {
    expect(() => createZoneClock('Berlin')).toThrow('"hoursTimeZone" is "Berlin", which is no time zone.');
    expect(berlin(Date.UTC(2026, 6, 1))).toBe(Date.UTC(2026, 6, 1, 2));
  });
});

describe('the panel outside them', () => {
  let view: MountedPanel;
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => {
    vi.useRealTimers();
    view.destroy();
  });

  async function openAt(moment: string, options: Partial<WidgetOptions> = {}): Promise<void> {
    vi.setSystemTime(moment);
    view = mountPanel({ hours: WEEK, hoursTimeZone: 'UTC', ...options });
    view.panel.open(true);
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(50);
  }

  it('says when people are back, and that the agent answers, until they are', async () => {
    await openAt('2026-07-14T08:00:00Z', { agentName: 'Ada' });
    expect(view.find('.hours').textContent).toMatch(
      /^Our team is away until .+\. Until then, Ada can help\.$/,
    );
    expect(view.all('.field')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(3_600_100);
    expect(view.all('.hours')).toEqual([]);
  });

  it('sets no space between two sentences in a language that has none', async () => {
    await openAt('2026-07-14T08:00:00Z', { agentName: 'Ada', language: 'zh' });
    await vi.waitFor(() =>
      expect(view.find('.hours').textContent).toMatch(/。在此之前，Ada 可以为您服务。$/),
    );
  });

  it('says nothing of it within them, or while a person is there', async () => {
    await openAt('2026-07-14T10:00:00Z');
    expect(view.all('.hours')).toEqual([]);
    view.destroy();
    await openAt('2026-07-14T08:00:00Z');
    view.chat.speaker.value = MAREN;
    await vi.advanceTimersByTimeAsync(50);
    expect(view.all('.hours')).toEqual([]);
  });

  it('takes no new conversation where the site is closed, and goes on with one that has begun', async () => {
    await openAt('2026-07-14T08:00:00Z', { outsideHours: 'closed', contactUrl: 'mailto:desk@example.com' });
    expect(view.find('.closed-line').textContent).toMatch(/^This chat is closed until .+ Contact us$/);
    expect(view.all('.field')).toEqual([]);
    view.chat.asks('Still there?');
    await vi.advanceTimersByTimeAsync(50);
    expect(view.all('.closed-line')).toEqual([]);
    expect(view.all('.field')).toHaveLength(1);
  });
});
