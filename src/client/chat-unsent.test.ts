import { afterEach, describe, expect, it } from 'vitest';
import { type ChatHarness, trackHarnesses, until } from '../../test/chat-harness.ts';

const { harness, greeted, reload } = trackHarnesses(afterEach);

const isStored = (
  { storage }: { readonly storage: { readonly values: Map<string, unknown> } },
  text: string,
): boolean => JSON.stringify([...storage.values]).includes(text);

describe('an undelivered message', () => {
  it('keeps an unsent message over a reload before there was a session, and sends it once', async () => {
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

  it('keeps an unsent message over a reload while the session cannot be resumed, with earlier ones', async () => {
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

  it('shows an old unsent message as not sent, and never sends it', async () => {
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

  it('still shows a message as not sent after another reload', async () => {
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

  it('shows unsent messages on the next page before it is connected, in their state', async () => {
    const one = await greeted();
    one.chat.send('Delivered');
    await until(() => one.lines().at(-1) === 'user: Delivered');
    one.platform.options = { ...one.platform.options, hears: false };
    one.chat.send('On its way');
    one.chat.send('Written offline');
    await until(() => isStored(one, 'Written offline'));
    const next = reload(one);
    next.device.setOnline(false);
    await next.chat.start();
    expect(next.lines()).toEqual(['user: On its way (pending)', 'user: Written offline (queued)']);
    one.platform.options = { ...one.platform.options, hears: true };
    next.device.setOnline(true);
    await until(() => next.lines().at(-1) === 'user: Written offline');
    expect(one.platform.session.userTexts).toEqual(['Delivered', 'On its way', 'Written offline']);
  });

  /** A message that was not sent before its chat expired. */
  async function late(): Promise<ChatHarness> {
    const one = await greeted();
    one.chat.send('Delivered');
    await until(() => one.lines().at(-1) === 'user: Delivered');
    one.device.setOnline(false);
    one.chat.send('Too late');
    one.clock.sleep(700_000);
    one.device.setOnline(true);
    await until(() => one.chat.session.value.status === 'expired');
    expect(one.lines().at(-1)).toBe('user: Too late (failed)');
    return one;
  }

  it('moves an unsent message to the next chat, and sends it there on request', async () => {
    const one = await late();
    await one.chat.newChat();
    await until(() => one.lines().includes('agent: Hello'));
    expect(one.lines()).toEqual(['* agent_joined', 'agent: Hello', 'user: Too late (failed)']);
    expect(one.platform.session.userTexts).toEqual([]);
    const entry = one.chat.messages.value.at(-1)?.value;
    if (entry?.kind !== 'user') throw new Error('The draft is missing.');
    one.chat.retry(entry.localId ?? '');
    await until(() => one.lines().at(-1) === 'user: Too late');
    expect(one.platform.session.userTexts).toEqual(['Too late']);
  });

  it('moves an unsent message to the next chat without a network, and after a reload', async () => {
    const one = await late();
    one.device.setOnline(false);
    await one.chat.newChat();
    expect(one.lines()).toEqual(['user: Too late (failed)']);
    await until(() => isStored(one, 'Too late'));
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().includes('agent: Hello'));
    expect(next.lines().at(-1)).toBe('user: Too late (failed)');
  });

  it("stores an unsent message before the chat's end resolves, and removes it before a logout does, on any disk", async () => {
    const one = await greeted();
    one.chat.send('Delivered');
    await until(() => one.lines().at(-1) === 'user: Delivered');
    const { storage } = one;
    const later = () => new Promise((resolve) => setTimeout(resolve, 50));
    storage.set = async (key, value) => {
      await later();
      storage.values.set(key, structuredClone(value));
    };
    storage.delete = async (key) => {
      await later();
      storage.values.delete(key);
    };
    one.device.setOnline(false);
    one.chat.send('Too late');
    const ending = one.chat.endChat();
    one.clock.sleep(5_000);
    await ending;
    expect(isStored(one, 'Too late')).toBe(true);
    // A reload begins a new chat.
    expect(isStored(one, '"sessionId":""')).toBe(true);
    await one.chat.logout();
    expect(storage.values.size).toBe(0);
  });

  it('removes unsent messages on their writer’s logout', async () => {
    const one = await late();
    await one.chat.logout();
    await one.chat.start();
    await until(() => one.lines().includes('agent: Hello'));
    expect(one.lines().join()).not.toContain('Too late');

    const other = await late();
    await other.chat.claim('ana');
    await other.chat.claim('ben');
    expect(other.lines().join()).not.toContain('Too late');
    await until(() => other.lines().includes('agent: Hello'));
    expect(other.lines().join()).not.toContain('Too late');
  });

  it('does not resend a message on a later page if the platform might store it twice (DEL-6)', async () => {
    const one = await greeted({ vocabulary: 'poly', isIdempotent: false }, { vocabulary: 'poly' });
    one.platform.options = { ...one.platform.options, echoes: false };
    one.chat.send('Stored');
    await until(() => one.platform.session.userTexts.length === 1 && isStored(one, 'pending'));
    one.clock.advance(9_000);
    const next = reload(one);
    one.clock.advance(5_000);
    one.platform.options = { ...one.platform.options, echoes: true, hears: false };
    await next.chat.start();
    expect(next.lines().at(-1)).toBe('user: Stored (pending)');
    await until(() => next.lines().includes('user: Stored'));
    next.chat.send('Lost');
    await until(() => next.lines().at(-1) === 'user: Lost (pending)' && isStored(one, 'Lost'));
    const last = reload(next);
    one.platform.options = { ...one.platform.options, hears: true };
    await last.chat.start();
    expect(last.lines()).toContain('user: Lost (pending)');
    await until(() => last.lines().at(-1) === 'user: Lost (failed)');
    expect(one.platform.session.userTexts).toEqual(['Stored']);
    const entry = last.chat.messages.value.at(-1)?.value;
    if (entry?.kind !== 'user' || entry.localId === null) throw new Error('The draft is missing.');
    last.chat.retry(entry.localId);
    await until(() => last.lines().at(-1) === 'user: Lost');
    expect(one.platform.session.userTexts).toEqual(['Stored', 'Lost']);
  });
});
