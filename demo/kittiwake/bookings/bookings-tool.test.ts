import type { ToolAnswer, ToolCallContext } from '@natter/platform';
import { expect, it } from 'vitest';
import { bookingsTool } from './bookings-tool.ts';

const CONTEXT: ToolCallContext = {
  ...{ text: null, language: 'en', earlier: '', isFollowUp: false, remembered: null, entities: {}, page: {} },
  ...{ nowMs: 0, timeZone: 'UTC', signal: new AbortController().signal },
};

const ask = async (text: string, more: Partial<ToolCallContext> = {}): Promise<ToolAnswer | null> =>
  await bookingsTool.run({}, { ...CONTEXT, text, ...more });

it('says neither anything about a booking nor whether it exists before its surname was given', async () => {
  const known = await ask('check my booking KW7F2Q');
  const unknown = await ask('check my booking KW9Z9Z');
  expect(known?.text).not.toContain('Mewsay');
  expect(known?.text.replace('KW7F2Q', '')).toBe(unknown?.text.replace('KW9Z9Z', ''));
});

it('describes the booking once the surname follows', async () => {
  const first = await ask('my reference is kw7f2q');
  const answer = await ask('Moreno', { isFollowUp: true, remembered: first?.remember });
  expect(answer?.text).toContain('Port Hallan to Mewsay, Saturday at 10:30');
});

it('leaves a follow-up about something else to the articles', async () => {
  const first = await ask('my reference is kw7f2q');
  expect(await ask('can i bring my dog', { isFollowUp: true, remembered: first?.remember })).toBeNull();
});

it('requires the booking reference and surname from a model too', async () => {
  const answer = await bookingsTool.run({ reference: 'KW3X9B', surname: 'Larsen' }, CONTEXT);
  expect(answer?.data).toMatchObject({ status: 'waiting for payment' });
  const without = await bookingsTool.run({ reference: 'KW3X9B' }, CONTEXT);
  expect(without?.data).toMatchObject({ found: false });
});
