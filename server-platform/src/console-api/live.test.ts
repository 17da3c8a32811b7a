import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  startConsoleFixture,
  type TestPerson,
} from '../../test/console-api/console-fixture.ts';

describe('conversations as they happen', () => {
  let fixture: ConsoleFixture;
  let sue: TestPerson;
  const begin = async (id: string, language: string, endedAt: number | null = null) => {
    const { database, project, clock } = fixture.rest;
    await database.query(
      `INSERT INTO conversations (id, project_id, variant_id, variant_name, environment, channel, language,
         from_number, to_number, started_at, ended_at, num_turns, num_silences, num_ood, needs_vector)
       VALUES ($1, $2, '', '', 'live', 'CHAT', $3, '', '', $4, $5, 0, 0, 0, false)`,
      [id, project.id, language, clock.now(), endedAt],
    );
  };
  beforeAll(async () => {
    fixture = await startConsoleFixture();
    sue = await fixture.signIn('supervisor');
    await begin('CONV-en', 'en');
    await begin('CONV-de', 'de');
    await begin('CONV-over', 'en', fixture.rest.clock.now());
  });
  afterAll(() => fixture.stop());

  /** The lists that a stream sends, one after the other. */
  async function follow(query: string) {
    const reader = (await sue.fetch(`GET /live${query}`)).body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    return {
      async next(): Promise<unknown> {
        for (;;) {
          const found = /event: list\ndata: (.*)\n\n/.exec(text);
          if (found !== null) {
            text = text.slice(found.index + found[0].length);
            return JSON.parse(found[1] ?? '');
          }
          const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
          if (done) throw new Error(`The stream ended: ${text}`);
          text += decoder.decode(value);
        }
      },
      cancel: () => reader?.cancel(),
    };
  }

  it('are listed while they are open, and again when that has changed', async () => {
    const stream = await follow('?language=en&state=agent');
    const row = { id: 'CONV-en', state: 'agent', has_log: false, request: null, last_words: '' };
    expect(await stream.next()).toMatchObject({ conversations: [row], has_more: false });
    await begin('CONV-new', 'en');
    fixture.rest.clock.skip(2_000);
    expect(await stream.next()).toMatchObject({ conversations: [{ id: 'CONV-new' }, { id: 'CONV-en' }] });
    await stream.cancel();
    const waiting = await follow('?state=waiting');
    expect(await waiting.next()).toEqual({ conversations: [], has_more: false });
    await waiting.cancel();
  });

  it('refuse filters and conversations that there are none of', async () => {
    for (const query of ['?state=bored', '?client_env=moon', '?after=-1', '?conversation_id=%00'])
      expect([query, (await sue.call(`GET /live${query}`)).status]).toEqual([query, 400]);
    for (const id of ['CONV-none', 'CONV-en'])
      expect([id, (await sue.call(`GET /live?conversation_id=${id}`)).status]).toEqual([id, 404]);
  });

  it('end the oldest of six streams of a person', async () => {
    const first = await sue.fetch('GET /live');
    const others = [];
    for (let count = 2; count <= 6; count += 1) others.push(await sue.fetch('GET /live'));
    expect(await first.text()).toMatch(/event: closed\ndata: {"reason":"too_many_streams"}\n\n$/);
    await Promise.all(others.map(({ body }) => body?.cancel()));
  });

  it('count together with the desk’s, because a browser has six connections for both', async () => {
    const first = await sue.fetch('GET /live');
    const others = [];
    for (let count = 1; count <= 5; count += 1) others.push(await sue.fetchDesk('GET /stream'));
    expect(await first.text()).toMatch(/event: closed\ndata: {"reason":"too_many_streams"}\n\n$/);
    await Promise.all(others.map(({ body }) => body?.cancel()));
  });
});
