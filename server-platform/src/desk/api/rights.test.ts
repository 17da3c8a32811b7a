import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../../test/desk/desk-fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Longest time until a stream hides revoked content. */
const WITHIN_MS = 2_000;

/** Reads a stream as text; `until` resolves with all of it so far. */
function follow(answer: Response) {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let isOver = false;
  return {
    get text() {
      return text;
    },
    async until(fits: (text: string) => boolean): Promise<string> {
      while (!fits(text) && !isOver) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        isOver = done;
        if (value !== undefined) text += decoder.decode(value, { stream: true });
      }
      if (!fits(text)) throw new Error(`The stream ended: ${text}`);
      return text;
    },
    cancel: () => reader?.cancel(),
  };
}

const closed = (reason: string) => (text: string) => text.endsWith(`data: {"reason":"${reason}"}\n\n`);

describe('an open stream of the desk', () => {
  let fixture: DeskFixture;
  let grace: TestDesk;
  const sql = (text: string, ...params: readonly string[]) => fixture.platform.database.query(text, params);
  const askForPerson = async (visitor: Awaited<ReturnType<DeskFixture['visit']>>) => {
    visitor.send('USER_MESSAGE', { text: 'a person, please' });
    const read = async () => (await grace.call('GET /inbox')).body['requests'] as readonly Fields[];
    await expect.poll(async () => (await read())[0]?.['status']).toBe('offered');
    return String((await read())[0]?.['id']);
  };
  beforeEach(async () => {
    fixture = await startDeskFixture(EMBEDDED_ENGINE);
    grace = await fixture.sitDown('Grace');
  });
  afterEach(() => fixture.stop());

  it.each([
    ['the sign-in', 'DELETE FROM desk_sign_ins WHERE person_id = $1'],
    ['the account of its person', 'UPDATE desk_people SET disabled_at = 1 WHERE id = $1'],
    ['its person', 'DELETE FROM desk_people WHERE id = $1'],
  ])('ends within two seconds after %s, on any node', async (_what, statement) => {
    const stream = follow(await grace.fetch('GET /stream'));
    await stream.until((text) => text.includes('event: inbox'));
    await sql(statement, grace.id);
    fixture.platform.clock.skip(WITHIN_MS / 2);
    await stream.until(closed('signed_out'));
  });

  it('ends the streams of all other sign-ins when the password is changed', async () => {
    const other = await grace.call('POST /sign-in', {
      email: 'grace@example.com',
      password: 'a password of the tests',
    });
    const cookie = String(other.headers.get('set-cookie')).split(';')[0] ?? '';
    const stream = follow(await grace.fetch('GET /stream', undefined, { Cookie: cookie }));
    const own = follow(await grace.fetch('GET /stream'));
    await Promise.all([stream, own].map((each) => each.until((text) => text.includes('event: inbox'))));
    const set = { current: 'a password of the tests', next: 'another password of the tests' };
    expect((await grace.call('POST /password', set)).status).toBe(200);
    fixture.platform.clock.skip(WITHIN_MS / 2);
    await stream.until(closed('signed_out'));
    fixture.platform.clock.skip(10_000);
    await own.until((text) => text.split('still here').length > 2);
    await own.cancel();
  });

  it('hides a conversation that a colleague has taken, in streams as in calls', async () => {
    const visitor = await fixture.visit();
    const id = await askForPerson(visitor);
    await grace.call(`POST /requests/${id}/accept`);
    await visitor.next('LIVE_AGENT_JOINED');
    const stream = follow(await grace.fetch(`GET /stream?request_id=${id}`));
    await stream.until((text) => text.includes('LIVE_AGENT_JOINED'));
    const boss = await fixture.sitDown('Sue', { role: 'supervisor' });
    expect((await boss.call(`POST /requests/${id}/take`)).status).toBe(200);
    expect((await grace.call(`GET /requests/${id}`)).status).toBe(404);
    await stream.until((text) => text.includes('"requests":[]'));
    visitor.send('USER_MESSAGE', { text: 'my secret' });
    visitor.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    await expect
      .poll(async () => Number(((await boss.call('GET /inbox')).body['requests'] as Fields[])[0]?.['unread']))
      .toBe(1);
    fixture.platform.clock.skip(10_000);
    await stream.until((text) => text.split('still here').length > 2);
    expect(stream.text).not.toMatch(/my secret|"is_typing":true/);
    await stream.cancel();
  });

  it('shows less after a change of role or queue, and more again after the next', async () => {
    const boss = await fixture.sitDown('Sue', { role: 'supervisor', isAway: true });
    const visitor = await fixture.visit();
    const id = await askForPerson(visitor);
    await grace.call(`POST /requests/${id}/accept`);
    const stream = follow(await boss.fetch(`GET /stream?request_id=${id}`));
    await stream.until((text) => text.includes(`"id":"${id}"`) && text.includes('LIVE_AGENT_JOINED'));
    await sql("UPDATE desk_people SET role = 'agent' WHERE id = $1", boss.id);
    fixture.platform.clock.skip(WITHIN_MS / 2);
    await stream.until((text) => text.endsWith('\n\n') && text.includes('"requests":[]'));
    visitor.send('USER_MESSAGE', { text: 'my secret' });
    await expect
      .poll(async () => ((await grace.call('GET /inbox')).body['requests'] as Fields[])[0]?.['unread'])
      .toBe(1);
    expect(stream.text).not.toContain('my secret');
    await sql("UPDATE desk_people SET role = 'supervisor' WHERE id = $1", boss.id);
    fixture.platform.clock.skip(WITHIN_MS / 2);
    await stream.until((text) => text.includes('my secret'));
    await stream.cancel();
  });

  it("shows a visitor's texts only to the person who answers if the project hides transcripts", async () => {
    const boss = await fixture.sitDown('Sue', { role: 'supervisor', isAway: true });
    await sql(`UPDATE projects SET settings = '{"conversations":{"show_transcripts":false}}'`);
    const visitor = await fixture.visit();
    visitor.send('USER_MESSAGE', { text: 'my secret' });
    const id = await askForPerson(visitor);
    expect((await boss.call('GET /inbox')).body).toMatchObject({ requests: [{ id }], questions: {} });
    const looked = follow(await boss.fetch(`GET /stream?request_id=${id}`));
    const stream = follow(await grace.fetch(`GET /stream?request_id=${id}`));
    await grace.call(`POST /requests/${id}/accept`);
    await stream.until((text) => text.includes('my secret'));
    const { body } = await boss.call(`GET /requests/${id}`);
    expect(body).toMatchObject({ state: {}, page: {}, handoff: {} });
    expect((await grace.call(`GET /requests/${id}`)).body).toMatchObject({ state: { order: 7 } });
    await grace.call(`POST /requests/${id}/end`);
    await looked.until((text) => text.includes('"requests":[]'));
    expect(looked.text).not.toContain('my secret');
    expect((await grace.call('GET /inbox')).body).toMatchObject({ recent: [{ id }], questions: {} });
    await Promise.all([stream.cancel(), looked.cancel()]);
  });
});
