import { afterEach, expect, it } from 'vitest';
import { trackHarnesses } from '../../test/chat-harness.ts';
import { tabsOf } from '../../test/shared-tabs.ts';

const { harness, greeted } = trackHarnesses(afterEach);
const { pair } = tabsOf(harness);

const DETAILS = { name: 'Maren', email: 'maren@example.com', text: 'Where is my bag?' };

it("sends a contact request to the proxy with the session's ticket, from any tab", async () => {
  const [first, second] = await pair({ offers: ['contact'] });
  for (const { chat, platform } of [first, second]) {
    expect(chat.canRequestContact.value).toBe(true);
    expect(await chat.requestContact(DETAILS)).toBe('sent');
    expect(platform.calls.at(-1)).toMatchObject({
      path: '/v1/contact',
      body: { ...DETAILS, resume_ticket: expect.any(String) },
    });
  }
});

it.each([
  [{ status: 300 }, 'failed'],
  [{ status: 400 }, 'refused'],
  [{ status: 500 }, 'failed'],
  [{ status: 429 }, 'failed'],
  ['unreachable', 'failed'],
] as const)('reports the outcome of a contact request after %j', async (fault, outcome) => {
  const { chat, platform } = await greeted({ offers: ['contact'] });
  platform.faults.push(fault);
  expect(await chat.requestContact(DETAILS)).toBe(outcome);
});

it('offers contact requests neither without the hook nor after the end', async () => {
  expect((await greeted()).chat.canRequestContact.value).toBe(false);
  const { chat } = await greeted({ offers: ['contact'] });
  await chat.endChat();
  expect(chat.canRequestContact.value).toBe(false);
});
