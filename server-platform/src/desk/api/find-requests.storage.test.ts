import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../../test/desk/desk-fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

describeStorage('a search at the desk', (engine) => {
  let fixture: DeskFixture;
  let grace: TestDesk;
  const sql = (text: string, ...params: readonly string[]) => fixture.platform.database.query(text, params);
  const find = async (desk: TestDesk, text: string) => {
    const { body } = await desk.call(`GET /search?text=${encodeURIComponent(text)}`);
    return (body['requests'] as readonly Fields[]).map(({ id }) => id);
  };
  /** A visitor who has said something and asked for a person, with the id of the request. */
  const ask = async (words: string) => {
    const visitor = await fixture.visit();
    visitor.send('USER_MESSAGE', { text: words });
    visitor.send('USER_MESSAGE', { text: 'a person, please' });
    let id = '';
    const read = async () => {
      const requests = (await grace.call('GET /inbox')).body['requests'] as readonly Fields[];
      const mine = requests.find(({ status }) => status === 'offered');
      id = String(mine?.['id'] ?? '');
      return id;
    };
    await expect.poll(read).not.toBe('');
    return { visitor, id };
  };
  beforeEach(async () => {
    fixture = await startDeskFixture(engine);
    grace = await fixture.sitDown('Grace');
  });
  afterEach(() => fixture.stop());

  it('finds conversations by words of either side, visitor, tag, note, person and id, requiring all words', async () => {
    const { visitor, id } = await ask('I have lost 100% of my luggage');
    await grace.call(`POST /requests/${id}/accept`);
    await visitor.next('LIVE_AGENT_JOINED');
    await grace.call(`POST /requests/${id}/messages`, { id: '1', text: 'Was it a rucksack?' });
    await grace.call(`POST /requests/${id}/notes`, { text: 'Look in the harbour office.' });
    await grace.call(`PUT /requests/${id}/tags`, { tags: ['lost property'] });
    await sql(`UPDATE sessions SET agent_state = '{"page_context":{"name":"Ana Brandt"}}'`);
    const { body } = await grace.call('GET /search?text=LUGGAGE');
    expect(body).toMatchObject({
      requests: [{ id, queue_name: 'Support' }],
      visitors: { [id]: 'Ana Brandt' },
    });
    expect(Object.values(body['questions'] as Fields)).toEqual(['I have lost 100% of my luggage']);
    for (const text of ['ruck', 'brandt', 'property', 'harbour', 'support', 'grace', id, 'ana 100%', 'said'])
      expect(await find(grace, text), text).toEqual([id]);
    for (const text of ['', ' ', 'luggage bicycle', '100_', 'name', '\\'])
      expect(await find(grace, text), text).toEqual([]);
  });

  it('finds conversations whose messages and metadata have characters that the database rejects', async () => {
    const { id } = await ask('my luggage');
    const odd = await fixture.visit();
    odd.send('USER_MESSAGE', { text: 'an umbrella \0 \ud800' }, { name: 'Zuleika \0', page: '\ud800' });
    odd.send('USER_MESSAGE', { text: 'a person, please' }, { name: 'Zuleika \0', page: '\ud800' });
    await odd.next('HANDOFF_ACCEPTED');
    odd.send('USER_MESSAGE', { text: 'and a trilby \0 \ud800' }, { name: 'Zuleika \0', page: '\ud800' });
    await odd.next('USER_MESSAGE');
    expect(await find(grace, 'luggage')).toEqual([id]);
    for (const text of ['umbrella', 'trilby', 'zuleika'])
      expect(await find(grace, text), text).toHaveLength(1);
  });
  it('searches the beginning of a long message', async () => {
    const { id } = await ask(`rucksack ${'and so on '.repeat(2_000)} umbrella`);
    expect([await find(grace, 'rucksack'), await find(grace, 'umbrella')]).toEqual([[id], []]);
  });

  it("finds an agent's own and waiting requests, and all for a supervisor", async () => {
    const { visitor, id } = await ask('my luggage');
    const lin = await fixture.sitDown('Lin', { isAway: true });
    const other = await fixture.sitDown('Max', { isAway: true, queueIds: [] });
    const sue = await fixture.sitDown('Sue', { role: 'supervisor', isAway: true });
    await grace.call(`POST /requests/${id}/decline`);
    expect(await find(lin, 'luggage')).toEqual([id]);
    expect(await find(other, 'luggage')).toEqual([]);
    await grace.call(`POST /requests/${id}/take`);
    await visitor.next('LIVE_AGENT_JOINED');
    expect([await find(lin, 'luggage'), await find(lin, id)]).toEqual([[], []]);
    await grace.call(`POST /requests/${id}/end`);
    expect(await find(grace, 'luggage')).toEqual([id]);
    expect(await find(sue, 'luggage')).toEqual([id]);
    expect(await find(lin, 'luggage')).toEqual([]);
  });

  it('searches no texts and names no visitor without transcripts, except for the person who answers', async () => {
    const { visitor, id } = await ask('my luggage');
    const sue = await fixture.sitDown('Sue', { role: 'supervisor', isAway: true });
    await sql(`UPDATE projects SET settings = '{"conversations":{"show_transcripts":false}}'`);
    await sql(`UPDATE sessions SET agent_state = '{"page_context":{"name":"Ana"}}'`);
    await grace.call(`POST /requests/${id}/accept`);
    await visitor.next('LIVE_AGENT_JOINED');
    expect(await find(grace, 'luggage')).toEqual([id]);
    expect([await find(sue, 'luggage'), await find(sue, 'ana')]).toEqual([[], []]);
    const { body } = await sue.call('GET /search?text=support');
    expect(body).toMatchObject({ requests: [{ id }], questions: {}, visitors: {} });
    await grace.call(`POST /requests/${id}/end`);
    expect(await find(grace, 'luggage')).toEqual([]);
  });
});
