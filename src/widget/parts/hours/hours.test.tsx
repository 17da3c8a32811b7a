import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAREN } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import { readOpeningHours } from '../../../protocol/index.ts';
import type { WidgetOptions } from '../../options.ts';
import { createZoneClock, selectOpening } from './select-opening.ts';

const WEEK = 'Mo-Fr 09:00-17:00; Sa 10:00-14:00';
const berlin = createZoneClock('Europe/Berlin');

/** Returns whether the team is available at a moment, and when that changes. */
const at = (hours: string, moment: string, zone = 'Europe/Berlin') => {
  const { isOpen, changesAtMs } = selectOpening(
    readOpeningHours(hours),
    createZoneClock(zone),
    Date.parse(moment),
  );
  return [isOpen, changesAtMs === null ? null : new Date(changesAtMs).toISOString()];
};

describe('business hours', () => {
  it.each([
    ['2026-07-14T06:59:00Z', false, '2026-07-14T07:00:00.000Z'],
    ['2026-07-14T07:00:00Z', true, '2026-07-14T15:00:00.000Z'],
    ['2026-07-14T15:00:00Z', false, '2026-07-15T07:00:00.000Z'],
    ['2026-07-18T12:00:00Z', false, '2026-07-20T07:00:00.000Z'],
    // In winter.
    ['2026-01-13T08:00:00Z', true, '2026-01-13T16:00:00.000Z'],
    // The clocks change on the Sunday in between, in both directions.
    ['2026-03-28T18:00:00Z', false, '2026-03-30T07:00:00.000Z'],
    ['2026-10-24T18:00:00Z', false, '2026-10-26T08:00:00.000Z'],
  ])('follows the clock in Berlin for business hours at %s', (moment, isOpen, changesAt) => {
    expect(at(WEEK, moment)).toEqual([isOpen, changesAt]);
  });

  it.each([
    // The start of summer time in Sydney; a zone behind UTC.
    ['Mo-Fr 09:00-17:00', '2026-10-03T12:00:30Z', 'Australia/Sydney', false, '2026-10-04T22:00:00.000Z'],
    [
      'Nov-Mar Mo-Su 08:00-18:00',
      '2026-07-14T12:00:00Z',
      'America/New_York',
      false,
      '2026-11-01T13:00:00.000Z',
    ],
    // The hour that the clocks show twice, the first and the second time.
    ['Su 01:45-03:00', '2026-11-01T05:30:00Z', 'America/New_York', false, '2026-11-01T05:45:00.000Z'],
    ['Su 01:45-03:00', '2026-11-01T06:30:00Z', 'America/New_York', false, '2026-11-01T06:45:00.000Z'],
    // The hour that the clocks skip.
    ['Su 02:30-05:00', '2026-03-29T00:59:00Z', 'Europe/Berlin', false, '2026-03-29T01:30:00.000Z'],
    ['24/7', '2026-07-14T12:00:00Z', 'Europe/Berlin', true, null],
  ])('reads the business hours %s at %s by the clock in %s', (hours, moment, zone, isOpen, changesAt) => {
    expect(at(hours, moment, zone)).toEqual([isOpen, changesAt]);
  });

  it('rejects business hours with an unknown time zone', () => {
    expect(() => createZoneClock('Berlin')).toThrow('"hoursTimeZone" is "Berlin", which is not a time zone.');
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

  it('says outside business hours when the team is back, and that the agent answers until then', async () => {
    await openAt('2026-07-14T08:00:00Z', { agentName: 'Ada' });
    expect(view.find('.hours').textContent).toMatch(
      /^Our team is away until .+\. Until then, Ada can help\.$/,
    );
    expect(view.all('.field')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(3_600_100);
    expect(view.all('.hours')).toEqual([]);
  });

  it('joins two sentences without a space in a language that has none', async () => {
    await openAt('2026-07-14T08:00:00Z', { agentName: 'Ada', language: 'zh' });
    await vi.waitFor(() =>
      expect(view.find('.hours').textContent).toMatch(/。在此之前，Ada 可以为您服务。$/),
    );
  });

  it('says nothing during business hours, or while a person is present', async () => {
    await openAt('2026-07-14T10:00:00Z');
    expect(view.all('.hours')).toEqual([]);
    view.destroy();
    await openAt('2026-07-14T08:00:00Z');
    view.chat.speaker.value = MAREN;
    await vi.advanceTimersByTimeAsync(50);
    expect(view.all('.hours')).toEqual([]);
  });

  it('starts no new conversation while the site is closed, and continues one that has begun', async () => {
    await openAt('2026-07-14T08:00:00Z', { outsideHours: 'closed', contactUrl: 'mailto:desk@example.com' });
    expect(view.find('.closed-line').textContent).toMatch(/^This chat is closed until .+ Contact us$/);
    expect(view.all('.field')).toEqual([]);
    view.chat.asks('Still there?');
    await vi.advanceTimersByTimeAsync(50);
    expect(view.all('.closed-line')).toEqual([]);
    expect(view.all('.field')).toHaveLength(1);
  });
});
