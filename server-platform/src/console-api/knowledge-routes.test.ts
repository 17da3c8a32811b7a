import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageTurn, textOf } from '../../test/agents/agent-turn.ts';
import {
  type ConsoleFixture,
  startConsoleFixture,
  type TestPerson,
} from '../../test/console-api/console-fixture.ts';
import { loadAgent } from '../agents/index.ts';
import { ProjectAgents } from '../agents/projects/index.ts';

const PARKING = {
  title: 'Parking at the port',
  category: null,
  keywords: ['car park'],
  questions: ['Where can I park?'],
  suggestions: [],
  has_page: true,
  body: 'Parking costs £6 a day.\n',
};
const SCOOTERS = {
  ...PARKING,
  title: 'Electric scooters',
  keywords: ['scooter', 'e-scooter'],
  questions: ['Can I bring my scooter?'],
  has_page: false,
  body: 'Scooters travel free. Fold them on board.\n',
};

let fixture: ConsoleFixture;
let sue: TestPerson;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'natter-articles-'));
  const file =
    '---\ntitle: Parking at the port\nkeywords: [car park]\nquestions: [Where can I park?]\n---\nParking costs £6 a day.\n';
  await writeFile(join(folder, 'parking.md'), file);
  await writeFile(join(folder, 'pets.md'), '---\ntitle: Pets\nkeywords: [dog]\n---\nDogs stay on a lead.\n');
  await mkdir(join(folder, 'evaluation'));
  await writeFile(
    join(folder, 'evaluation', 'plain.yaml'),
    '- { say: where can I park my car, has: ["£6"] }\n- { say: can i take an e-scooter, has: ["free"] }\n',
  );
  const source = await loadAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder: folder });
  fixture = await startConsoleFixture({ agentSources: new Map([['ada', source]]) });
  sue = await fixture.signIn('supervisor');
});
afterAll(async () => {
  await fixture.stop();
  await rm(folder, { recursive: true });
});

/** Returns the answer that visitors of a project get on a node. */
async function answerOf(agents: ProjectAgents, question: string, projectId: string): Promise<string> {
  const actions = [];
  const agent = agents.find('ada', projectId);
  for await (const action of agent?.run(messageTurn(question)) ?? []) actions.push(action);
  return textOf(actions);
}

const rowsOf = async (): Promise<unknown> => (await sue.call('GET /knowledge')).body['articles'];

/** Runs the evaluation and returns its result. */
async function evaluate(body: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await sue.fetch('POST /knowledge/evaluations', body);
  const lines = (await answer.text()).trim().split('\n');
  const { id } = JSON.parse(lines.at(-1) ?? '');
  return (await sue.call(`GET /knowledge/evaluations/${id}`)).body;
}

describe('the knowledge of an agent', () => {
  it('is the articles of its files, for supervisors and admins', async () => {
    expect(await rowsOf()).toMatchObject([
      { slug: 'parking', title: 'Parking at the port', state: 'file', changed_by: null },
      { slug: 'pets', state: 'file' },
    ]);
    const { body } = await sue.call('GET /knowledge/articles/parking');
    expect(body).toMatchObject({ article: PARKING, number: 0, has_file: true, versions: [] });
    const grace = await fixture.signIn('agent');
    const change = { base: 0, article: PARKING };
    expect((await grace.call('PUT /knowledge/articles/parking', change)).status).toBe(403);
    expect(await sue.call('GET /knowledge?agent=nobody')).toMatchObject({ status: 404 });
    expect(await sue.call('GET /knowledge/articles/none')).toMatchObject({ status: 404 });
  });

  it('shows what the agent would answer to a draft, and publishes nothing', async () => {
    const ask = async (draft: object | null) =>
      (await sue.call('POST /knowledge/answer', { questions: ['can i take an e-scooter?'], draft })).body;
    expect(await ask(null)).toMatchObject({ certainty: 'unknown', intent: 'out_of_domain' });
    const body = await ask({ slug: 'scooters', ...SCOOTERS });
    expect(body).toMatchObject({
      certainty: 'confident',
      intent: 'scooters',
      articles: [{ slug: 'scooters', title: 'Electric scooters' }],
      passages: [{ text: SCOOTERS.body.trim(), is_said: true }],
    });
    expect(await rowsOf()).toHaveLength(2);
    const bad = await sue.call('POST /knowledge/answer', {
      questions: ['x'],
      draft: { slug: '../etc', ...SCOOTERS },
    });
    expect(bad.body['error_message']).toContain('lower-case letters');
    const empty = await sue.call('PUT /knowledge/articles/empty', {
      base: 0,
      article: { ...PARKING, body: '\n' },
    });
    expect([empty.status, empty.body['error_message']]).toEqual([
      400,
      'The article cannot be used: it has no text.',
    ]);
  });

  it('is edited by one person at a time, goes back, and is taken up by every node', async () => {
    const { services, project, database, account } = fixture.rest;
    const other = new ProjectAgents({
      database,
      fixed: new Map(),
      sources: new Map([['ada', services.projectAgents.findSource('ada') ?? expect.fail()]]),
      turnInShare: (_, work) => work(),
      onFailure: (what, error) => expect.fail(`${what}: ${String(error)}`),
    });
    const asked = 'where can i park my car?';
    const edited = { ...PARKING, title: 'Parking: "new" prices', body: 'Parking costs £8 a day.\n' };
    const published = await sue.call('PUT /knowledge/articles/parking', { base: 0, article: edited });
    expect(published.body).toMatchObject({ article: edited, state: 'edited', number: 1 });
    const late = await sue.call('PUT /knowledge/articles/parking', { base: 0, article: PARKING });
    expect([late.status, late.body['error_code']]).toEqual([409, 'CHANGED_MEANWHILE']);
    expect(await answerOf(services.projectAgents, asked, project.id)).toContain('£8');
    expect(await answerOf(other, asked, project.id)).toContain('£6');
    await other.refresh();
    expect(await answerOf(other, asked, project.id)).toContain('£8');
    // Another project of the same agent keeps the file's.
    expect(await answerOf(other, asked, 'PROJECT-other')).toContain('£6');

    await sue.call('POST /knowledge/articles/parking/delete', { base: 1 });
    expect(await answerOf(services.projectAgents, asked, project.id)).not.toContain('£');
    expect(await rowsOf()).toMatchObject([{ slug: 'parking', state: 'deleted' }, {}]);
    const back = await sue.call('POST /knowledge/articles/parking/restore', { base: 2, number: 1 });
    expect(back.body).toMatchObject({ article: edited, number: 3 });
    expect((await sue.call('GET /knowledge/articles/parking/versions/0')).body).toEqual(PARKING);
    const file = await sue.call('POST /knowledge/articles/parking/restore', { base: 3, number: 0 });
    expect(file.body).toMatchObject({
      article: PARKING,
      state: 'file',
      versions: [
        { number: 4, kind: 'file' },
        { number: 3, kind: 'published', restored_from: 1 },
        { number: 2, kind: 'deleted' },
        { number: 1, kind: 'published', by: 'supervisor-1@example.com' },
      ],
    });
    expect(await answerOf(services.projectAgents, asked, project.id)).toContain('£6');
    const audited = await database.query('SELECT action, subject FROM desk_audit WHERE account_id = $1', [
      account.id,
    ]);
    expect(audited).toEqual(
      ['publish_article', 'delete_article', 'restore_article', 'restore_article'].map((action) => ({
        action,
        subject: 'ada/parking',
      })),
    );
  });

  it('has articles in other languages, each published and deleted on its own', async () => {
    const { services, project } = fixture.rest;
    const parken = {
      ...PARKING,
      title: 'Parken am Hafen',
      questions: ['Wo kann ich parken?'],
      body: 'Parken kostet 7 £ am Tag.\n',
    };
    const at = '/knowledge/articles/de%2Fparking';
    const asked = 'Wo kann ich parken?';
    const trial = { questions: [asked], draft: { slug: 'de/parking', ...parken } };
    expect((await sue.call('POST /knowledge/answer', trial)).body).toMatchObject({
      text: 'Parken kostet 7 £ am Tag.',
      articles: [{ slug: 'de/parking' }],
    });
    const published = await sue.call(`PUT ${at}`, { base: null, article: parken });
    expect(published.body).toMatchObject({ slug: 'de/parking', state: 'added', number: 1 });
    expect(await answerOf(services.projectAgents, asked, project.id)).toBe('Parken kostet 7 £ am Tag.');
    expect(await answerOf(services.projectAgents, 'Where can I park?', project.id)).toContain('£6');
    await sue.call(`POST ${at}/delete`, { base: 1 });
    expect(await answerOf(services.projectAgents, asked, project.id)).toContain('£6');
    for (const slug of ['en%2Fparking', 'xx%2Fparking', 'de%2F..%2Fparking']) {
      const refused = await sue.call(`PUT /knowledge/articles/${slug}`, { base: null, article: parken });
      expect(refused.status, slug).toBe(400);
    }
  });

  it('is evaluated, also with a draft, and compared with the run before', async () => {
    const first = await evaluate({});
    expect(first).toMatchObject({
      run: { total: 2, passed: 1, draft_slug: null },
      before: null,
      failures: [{ say: ['can i take an e-scooter'], problems: ['lacks "free"'], is_new: null }],
      fixed: [],
    });
    const spoiled = { slug: 'parking', ...PARKING, body: 'Parking is dear.\n' };
    const second = await evaluate({ draft: spoiled });
    expect(second).toMatchObject({
      run: { passed: 0, draft_slug: 'parking' },
      before: { passed: 1 },
      failures: [
        { say: ['where can I park my car'], is_new: true },
        { say: ['can i take an e-scooter'], is_new: false },
      ],
    });
    await sue.call('PUT /knowledge/articles/scooters', { base: null, article: SCOOTERS });
    const taken = await Promise.all(
      ['scooters', 'parking'].map((slug) =>
        sue.call(`PUT /knowledge/articles/${slug}`, { base: null, article: SCOOTERS }),
      ),
    );
    expect(taken.map(({ body }) => body['error_code'])).toEqual(['CHANGED_MEANWHILE', 'EXISTS']);
    expect(await evaluate({})).toMatchObject({ run: { passed: 2 }, failures: [], fixed: [{}, {}] });
    const { body } = await sue.call('GET /knowledge');
    expect(body['evaluation']).toMatchObject({ conversations: 2, runs: [{ passed: 2 }, {}, {}] });
  });
});
