import { afterEach, describe, expect, it } from 'vitest';
import { trackHarnesses, until } from '../../test/chat-harness.ts';

const { harness, greeted, reload } = trackHarnesses(afterEach);

const isStored = (
  { storage }: { readonly storage: { readonly values: Map<string, unknown> } },
  text: string,
): boolean => JSON.stringify([...storage.values]).includes(text);

describe('what was written and is not delivered', () => {
  it('survives a reload when there was no session for it yet, and is sent once', async () => {
    const one = harness();
    one.device.setOnline(false);
    await one.chat.start();
    one.chat.send('Too early');
    await until(() => isStored(one, 'Too early'));
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().at(-1) === 'user: Too early');
    expect(one.platform.session.userTexts).toEqual(['Too early']);
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('survives a reload while the conversation cannot be resumed, with what an earlier page left', async () => {
    const one = await greeted();
    one.chat.send('First');
    await until(() => one.lines().at(-1) === 'user: First');
    one.device.setOnline(false);
    one.chat.send('Second');
    await until(() => isStored(one, 'Second'));
    const next = reload(one);
    next.device.setOnline(false);
    await next.chat.start();
    next.chat.send('Third');
    await until(() => isStored(one, 'Third'));
    const last = reload(next);
    await last.chat.start();
    await until(() => last.lines().at(-1) === 'user: Third');
    expect(one.platform.session.userTexts).toEqual(['First', 'Second', 'Third']);
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('is shown as not sent, and sent by nobody, when that was long ago', async () => {
    const one = harness();
    one.device.setOnline(false);
    await one.chat.start();
    one.chat.send('Yesterday');
    await until(() => isStored(one, 'Yesterday'));
    one.chat.destroy();
    one.clock.advance(600_000);
    const next = reload(one);
    expect(await next.chat.hasStoredConversation()).toBe(false);
    await next.chat.start();
    await until(() => next.lines().includes('agent: Hello'));
    expect(next.lines().at(-1)).toBe('user: Yesterday (failed)');
    expect(one.platform.session.userTexts).toEqual([]);
  });

  it('is still shown after another reload, when it was shown as not sent', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    one.chat.send('Undelivered');
    await until(() => isStored(one, 'Undelivered'));
    one.platform.faults.push({ status: 410, code: 'RESUME_TICKET_INVALID' });
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().at(-1) === 'user: Undelivered (failed)');
    await until(() => next.lines().includes('agent: Hello'));
    const last = reload(next);
    await last.chat.start();
    await until(() => last.lines().includes('user: Undelivered (failed)'));
    expect(one.platform.sessions).toHaveLength(2);
  });
});
