import { afterEach, describe, expect, it } from 'vitest';
import {
  type ChatHarness,
  holdAnswers,
  isOpen,
  settle,
  trackHarnesses,
  until,
} from '../../test/chat-harness.ts';

const { greeted, reload } = trackHarnesses(afterEach);

const QUIET = { capabilities: { heartbeat_interval_seconds: 0 } };

/** A stored chat: the visitor has sent a message. */
async function talking(): Promise<ChatHarness> {
  const one = await greeted(QUIET);
  one.chat.send('Hello Ada');
  await until(() => one.lines().at(-1) === 'user: Hello Ada' && one.storage.values.size === 1);
  return one;
}

const renewals = ({ platform }: ChatHarness): number =>
  platform.calls.filter(({ path }) => path.endsWith('/v1/resume')).length;

const storedTicket = ({ storage }: ChatHarness): unknown =>
  Object.entries([...storage.values.values()][0] ?? {}).find(([name]) => name === 'resumeTicket')?.[1];

async function pass(one: ChatHarness, ms: number): Promise<void> {
  one.clock.advance(ms);
  await settle();
}

describe('the resume ticket', () => {
  it('resumes a conversation of any length after a reload', async () => {
    const one = await talking();
    for (let minute = 0; minute < 25; minute++) {
      await pass(one, 60_000);
      if (minute % 5 === 0) one.platform.session.say(`Minute ${minute}`);
    }
    await settle();
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().includes('agent: Minute 20'));
    expect(next.lines()).toContain('user: Hello Ada');
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('renews the ticket every 240 s while the socket is open, and changes nothing else', async () => {
    const one = await talking();
    const first = storedTicket(one);
    await pass(one, 239_000);
    expect(renewals(one)).toBe(0);
    await pass(one, 1_000);
    expect(renewals(one)).toBe(1);
    const second = storedTicket(one);
    expect(second).not.toBe(first);
    await pass(one, 240_000);
    expect(renewals(one)).toBe(2);
    expect(storedTicket(one)).not.toBe(second);
    expect(isOpen(one)).toBe(true);
    expect(one.platform.handshakes).toHaveLength(1);
    expect(one.platform.calls.map(({ body }) => body).slice(1)).toEqual([
      { resume_ticket: first },
      { resume_ticket: second },
    ]);
  });

  it('renews no ticket before the visitor has sent something, and then an old one at once', async () => {
    const one = await greeted(QUIET);
    await pass(one, 500_000);
    expect(renewals(one)).toBe(0);
    one.chat.send('At last');
    await until(() => renewals(one) === 1);
    await settle();
    expect(one.storage.values.size).toBe(1);
  });

  it('renews the ticket once for activity before the socket was lost, and then lets it expire', async () => {
    const one = await talking();
    await pass(one, 1_000);
    one.platform.session.say('Are you there?');
    await settle();
    one.device.setOnline(false);
    await pass(one, 240_000);
    expect(renewals(one)).toBe(1);
    await pass(one, 290_000);
    expect(renewals(one)).toBe(1);
    one.chat.send('Still here');
    await settle();
    expect(renewals(one)).toBe(2);
  });

  it('has at most one ticket renewal in flight', async () => {
    const one = await talking();
    const { release, asked } = holdAnswers(one);
    await pass(one, 240_000);
    one.chat.send('More');
    one.platform.session.say('And more');
    await pass(one, 5_000);
    expect(asked).toHaveLength(1);
    const before = storedTicket(one);
    release();
    await until(() => storedTicket(one) !== before);
    expect(asked).toHaveLength(1);
  });

  it('retries a ticket renewal after faults, without an error message', async () => {
    const one = await talking();
    one.platform.faults.push('unreachable', { status: 503 }, { status: 500 }, { status: 503 });
    const first = storedTicket(one);
    await pass(one, 240_000);
    for (const delayMs of [1_000, 2_000, 4_000]) await pass(one, delayMs);
    expect(renewals(one)).toBe(4);
    expect(storedTicket(one)).toBe(first);
    await pass(one, 59_000);
    expect(renewals(one)).toBe(4);
    await pass(one, 1_000);
    expect(renewals(one)).toBe(5);
    expect(storedTicket(one)).not.toBe(first);
    expect(isOpen(one)).toBe(true);
    expect(one.chat.session.value).toEqual({ status: 'active' });
    expect(one.platform.handshakes).toHaveLength(1);
  });

  it.each([
    { status: 410, code: 'RESUME_TICKET_INVALID' },
    { status: 403, code: 'ORIGIN_NOT_ALLOWED' },
    { status: 200, text: '<html>' },
  ])('requests no ticket again after a rejection, and continues the chat: $status', async (fault) => {
    const one = await talking();
    one.platform.faults.push(fault);
    await pass(one, 240_000);
    await pass(one, 300_000);
    expect(renewals(one)).toBe(1);
    expect(isOpen(one)).toBe(true);
    one.chat.send('And on');
    await until(() => one.lines().at(-1) === 'user: And on');
  });

  it('does not change token or session of a running chat by a ticket renewal', async () => {
    const one = await talking();
    const first = storedTicket(one);
    const pair = {
      access_token: 'a.b.c',
      websocket_url: 'wss://elsewhere.test/ws',
      expires_in_seconds: 60,
    };
    const grant = { ...pair, resume_by: 'ticket', resume_ticket: 'fresh' };
    one.platform.faults.push({ status: 200, text: JSON.stringify({ ...grant, session_id: 'other' }) });
    await pass(one, 240_000);
    expect(storedTicket(one)).toBe(first);
    one.platform.session.drop();
    await until(() => !isOpen(one));
    await pass(one, 1_000);
    await until(() => isOpen(one));

    const two = await talking();
    two.platform.faults.push({
      status: 200,
      text: JSON.stringify({ ...grant, session_id: two.platform.session.id }),
    });
    await pass(two, 240_000);
    expect(storedTicket(two)).toBe('fresh');
    two.platform.session.drop();
    await until(() => !isOpen(two));
    await pass(two, 1_000);
    await until(() => isOpen(two));
    expect(two.platform.handshakes.at(-1)).toMatchObject({
      sessionId: two.platform.session.id,
      isAccepted: true,
    });
  });

  it('drops the ticket at the end of the chat, even during a renewal', async () => {
    const one = await talking();
    const { release, asked } = holdAnswers(one);
    await pass(one, 240_000);
    await one.chat.endChat();
    release();
    await settle();
    await pass(one, 600_000);
    expect(asked).toEqual(['/v1/resume', '/v1/logout']);
    expect(one.storage.values.size).toBe(0);
    expect(one.clock.pending).toBe(0);
  });

  it('completes the first renewal even if the page is unloaded, so that the cookie is set', async () => {
    const one = await greeted({ ...QUIET, keepsCookie: true });
    const { release, asked } = holdAnswers(one);
    const { answer } = one.platform;
    const calls: RequestInit[] = [];
    one.platform.answer = (path, body, init = {}) => {
      calls.push(init);
      return answer(path, body);
    };
    one.chat.send('Hello Ada');
    await settle();
    one.device.say('suspended');
    expect(asked).toEqual(['/v1/resume']);
    expect(calls).toMatchObject([{ keepalive: true, signal: { aborted: false } }]);
    release();
    await until(() => one.platform.cookie !== '');
  });

  it('renews no ticket of an expired chat', async () => {
    const one = await greeted({ capabilities: { heartbeat_interval_seconds: 700 } });
    one.chat.send('Anybody?');
    await until(() => one.storage.values.size === 1);
    await settle();
    await pass(one, 600_001);
    one.device.setVisible(true);
    await until(() => one.chat.session.value.status === 'expired');
    const count = renewals(one);
    await pass(one, 600_000);
    expect(renewals(one)).toBe(count);
    expect(one.storage.values.size).toBe(0);
  });

  it('leaves no timer when the client is destroyed during a renewal', async () => {
    const one = await talking();
    one.platform.faults.push({ status: 503 });
    await pass(one, 240_000);
    expect(renewals(one)).toBe(1);
    one.chat.destroy();
    await settle();
    expect(one.clock.pending).toBe(0);
    await pass(one, 600_000);
    expect(renewals(one)).toBe(1);
  });

  it('renews no ticket while there is none', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    await one.chat.newChat();
    one.clock.advance(1_000);
    one.chat.send('For the next chat');
    const calls = one.platform.calls.length;
    for (let minute = 0; minute < 9; minute++) {
      one.clock.advance(60_000);
      await settle();
    }
    expect(one.platform.calls).toHaveLength(calls);
    one.device.setOnline(true);
    await until(() => one.lines().at(-1) === 'user: For the next chat');
  });
});
