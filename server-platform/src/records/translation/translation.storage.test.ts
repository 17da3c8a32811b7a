import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import { recorded, said } from '../../../test/records/conversations/recorded.ts';
import { startTranslator } from '../../../test/records/translation/translator.ts';
import { addProject, changeProject } from '../../accounts/index.ts';
import { Scheduler } from '../../jobs/index.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import { writeConversations } from '../../realtime/event-log/index.ts';
import { startTranslation } from './start-translation.ts';
import { translateTurns } from './translate-turns.ts';

describeStorage('the translation of turns', (engine) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await startRestFixture({ engine });
    await changeProject(rest.database, rest.project, { isTranslated: true });
  });
  afterAll(() => rest.stop());

  let calls = 0;
  const record = async (projectId = rest.project.id): Promise<string> => {
    const id = `CONV-translated-${++calls}`;
    const turns = [
      said('', 'Hallo, ich bin Ada.', { kind: 'greeting', userInputAtMs: null, atMs: rest.clock.now() }),
      said('Wann fährt die Fähre?', 'Um **14:30**.', { atMs: rest.clock.now() }),
    ];
    await writeConversations(rest.database, [recorded(rest, id, { turns, start: { projectId } })]);
    return id;
  };
  const textsOf = async (id: string): Promise<readonly (readonly string[])[]> => {
    const rows = await rest.database.query<{ readonly translated: string; readonly english: string }>(
      `SELECT translated_user_input AS translated, english_agent_response AS english
         FROM conversation_turns WHERE conversation_id = $1 ORDER BY ordinal`,
      [id],
    );
    return rows.map(({ translated, english }) => [translated, english]);
  };
  const translate = (endpoint: string, failures: unknown[] = []): Promise<number> =>
    translateTurns({
      database: rest.database,
      projectId: rest.project.id,
      endpoint: { endpoint, model: 'small', apiKey: 'sk-translate', language: 'de' },
      client: createOutboundClient({ allowsPrivateAddresses: true }),
      nowMs: () => rest.clock.now(),
      signal: new AbortController().signal,
      onFailure: (error) => failures.push(error),
    });

  it('translates both texts of every turn once, and requests nothing for an empty one', async () => {
    await using endpoint = await startTranslator();
    const id = await record();
    expect(await textsOf(id)).toEqual([
      ['', ''],
      ['', ''],
    ]);
    // Two nodes at once share the work.
    const counts = await Promise.all([translate(endpoint.url), translate(endpoint.url)]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(2);
    expect(await textsOf(id)).toEqual([
      ['', 'English: Hallo, ich bin Ada.'],
      ['German: Wann fährt die Fähre?', 'English: Um **14:30**.'],
    ]);
    expect(endpoint.asked).toHaveLength(3);
    expect(endpoint.asked[0]?.authorization).toBe('Bearer sk-translate');
    // The text to translate never appears in the instructions.
    expect(endpoint.asked.some(({ system }) => system.includes('Fähre'))).toBe(false);
    expect(await translate(endpoint.url)).toBe(0);
  });

  it('translates nothing in projects where translation is off', async () => {
    await using endpoint = await startTranslator();
    await changeProject(rest.database, rest.project, { isTranslated: false });
    const id = await record();
    await changeProject(rest.database, rest.project, { isTranslated: true });
    expect(await translate(endpoint.url)).toBe(0);
    expect(await textsOf(id)).toEqual([
      ['', ''],
      ['', ''],
    ]);
  });

  it('retries a failed translation after a minute, reports neither text nor key, and gives up after a day', async () => {
    await using endpoint = await startTranslator();
    endpoint.respond = (response) => {
      response.writeHead(503).end('busy');
      return true;
    };
    const id = await record();
    const failures: unknown[] = [];
    expect(await translate(endpoint.url, failures)).toBe(0);
    expect(failures).toHaveLength(2);
    expect(String(failures[0])).toMatch(/answered 503.*translation\.endpoint/);
    expect(failures.map(String).join()).not.toMatch(/sk-translate|Fähre/);
    const asked = endpoint.asked.length;
    expect(await translate(endpoint.url)).toBe(0);
    expect(endpoint.asked).toHaveLength(asked);
    rest.clock.skip(60_000);
    endpoint.respond = () => false;
    expect(await translate(endpoint.url)).toBe(2);
    const lost = await record();
    rest.clock.skip(25 * 3_600_000);
    endpoint.respond = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}');
      return true;
    };
    expect(await translate(endpoint.url, failures)).toBe(0);
    rest.clock.skip(60_000);
    endpoint.respond = () => false;
    expect(await translate(endpoint.url)).toBe(0);
    expect((await textsOf(id))[1]?.[1]).toBe('English: Um **14:30**.');
    expect((await textsOf(lost))[1]?.[1]).toBe('');
  });

  it("continues translating one project while another's endpoint does not respond", async () => {
    await using hanging = await startTranslator();
    await using working = await startTranslator();
    hanging.respond = () => true;
    const other = await addProject(rest.database, rest.account, { slug: 'other' });
    await changeProject(rest.database, other, { isTranslated: true });
    for (let count = 0; count < 20; count += 1) await record();
    const id = await record(other.id);
    const settings = { model: 'small', apiKey: null, language: 'de' } as const;
    const tasks = startTranslation({
      database: rest.database,
      clock: rest.clock,
      scheduler: new Scheduler({ clock: rest.clock, random: () => 0, onFailure: () => {} }),
      endpoints: new Map([
        [rest.project.id, { ...settings, endpoint: hanging.url }],
        [other.id, { ...settings, endpoint: working.url }],
      ]),
      onFailure: () => {},
    });
    rest.clock.skip(5_000);
    await expect.poll(() => textsOf(id)).toMatchObject([['', expect.stringMatching(/^English/)], {}]);
    await expect.poll(() => hanging.asked.length).toBeGreaterThan(0);
    await Promise.all(tasks.map((task) => task.stop()));
  });
});
