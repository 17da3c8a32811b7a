import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOpen, settle, trackHarnesses, until } from '../../test/chat-harness.ts';
import { FakeBrowser } from '../../test/fake-browser.ts';
import { createDefaultPorts } from './default-ports.ts';

const { harness, greeted } = trackHarnesses(afterEach);
afterEach(() => vi.restoreAllMocks());

describe('a page that is put away', () => {
  it.each(['with locks', 'without locks'])(
    'closes the socket of a suspended page and resumes from its cursor: %s',
    async (how) => {
      const one = harness({}, {}, {}, how === 'with locks' ? new FakeBrowser().openTab() : null);
      await one.chat.start();
      await until(() => one.lines().includes('agent: Hello'));
      one.device.say('suspended');
      expect(one.platform.session.peers.size).toBe(0);
      one.platform.session.say('Said meanwhile');
      one.clock.advance(120_000);
      await settle();
      expect(one.platform.handshakes).toHaveLength(1);
      one.device.say('resumed');
      await until(() => one.lines().at(-1) === 'agent: Said meanwhile');
      expect(one.lines()).toEqual(['* agent_joined', 'agent: Hello', 'agent: Said meanwhile']);
      expect(one.platform.handshakes.at(-1)?.cursor).toBe('4');
      expect(one.platform.sessions).toHaveLength(1);
    },
  );

  it('keeps messages written in a suspended page until it resumes', async () => {
    const one = await greeted();
    one.device.say('suspended');
    one.chat.send('Written on the way out');
    expect(one.lines().at(-1)).toMatch(/Written on the way out/);
    one.device.say('resumed');
    await until(() => one.lines().at(-1) === 'user: Written on the way out');
    expect(one.platform.session.userTexts).toEqual(['Written on the way out']);
  });

  it('does not reopen an ended chat when the page resumes', async () => {
    const one = await greeted();
    await one.chat.endChat();
    one.device.say('suspended');
    one.device.say('resumed');
    await settle();
    expect(one.platform.handshakes).toHaveLength(1);
    expect(one.chat.session.value).toEqual({ status: 'ended', by: 'user' });
  });

  it('does not start a chat when a page resumes that never started it', async () => {
    const one = harness();
    one.device.say('suspended');
    one.device.say('resumed');
    await settle();
    expect(one.platform.calls).toEqual([]);
  });
});

describe('a machine that slept', () => {
  it('checks the socket after sleep with a heartbeat, and waits at most 10 s for a response', async () => {
    const one = await greeted();
    one.platform.options = { ...one.platform.options, echoes: false };
    one.clock.sleep(300_000);
    one.clock.advance(10_000);
    expect(one.chat.connection.value.status).toBe('reconnecting');
    one.platform.options = { ...one.platform.options, echoes: true };
    one.clock.advance(2_000);
    await until(() => isOpen(one));
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('keeps a socket that responds after sleep', async () => {
    const one = await greeted();
    one.clock.sleep(300_000);
    one.clock.advance(0);
    await settle();
    one.clock.advance(20_000);
    expect(isOpen(one)).toBe(true);
    expect(one.platform.handshakes).toHaveLength(1);
  });

  it('expires a conversation after sleeping for longer than it lasts (ST-2)', async () => {
    const one = await greeted();
    one.clock.sleep(700_000);
    one.clock.advance(0);
    await until(() => one.chat.session.value.status === 'expired');
  });

  it('shows unsent messages and keeps the draft when a conversation expired during sleep', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    one.chat.send('Written without a network');
    one.chat.setUnsent('Half a thought');
    one.clock.sleep(700_000);
    one.device.setOnline(true);
    await until(() => one.chat.session.value.status === 'expired');
    expect(one.lines().at(-1)).toBe('user: Written without a network (failed)');
    expect(one.chat.unsent.value).toBe('Half a thought');
    expect(one.platform.session.userTexts).toEqual([]);
    await one.chat.newChat();
    await until(() => one.platform.sessions.length === 2 && one.lines().includes('agent: Hello'));
    expect(one.chat.unsent.value).toBe('Half a thought');
  });
});

describe('the clock of a browser', () => {
  it("never moves its clock back when the browser's clock is set back", () => {
    const wall = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const { clock } = createDefaultPorts();
    expect(clock.now()).toBe(1_000_000);
    wall.mockReturnValue(400_000);
    expect(clock.now()).toBe(1_000_000);
    wall.mockReturnValue(405_000);
    expect(clock.now()).toBe(1_005_000);
  });
});

it('does not expire a conversation before its first connection', async () => {
  const one = harness();
  one.platform.isDown = true;
  await one.chat.start();
  await until(() => one.platform.calls.length > 0);
  one.clock.sleep(700_000);
  one.device.setVisible(true);
  await settle();
  expect(one.chat.session.value.status).not.toBe('expired');
});

it('never expires a conversation if the page sets no limit', async () => {
  const one = await greeted({ capabilities: { heartbeat_interval_seconds: 0 } }, { idleTimeoutMs: 0 });
  one.clock.advance(3_600_000);
  one.device.setVisible(true);
  await settle();
  expect(one.chat.session.value.status).toBe('active');
});
