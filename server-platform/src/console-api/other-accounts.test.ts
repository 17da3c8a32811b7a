import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  startConsoleFixture,
  type TestPerson,
} from '../../test/console-api/console-fixture.ts';
import { sampleBodyOf, UNLIMITED } from '../../test/desk/hostile-calls.ts';
import { recorded, said } from '../../test/records/conversations/recorded.ts';
import { addAccount, addProject } from '../accounts/index.ts';
import { writeTestEvent } from '../api/alerts/index.ts';
import { queueDelivery } from '../api/webhooks/index.ts';
import { writeConversations } from '../realtime/event-log/index.ts';
import { openWait } from '../realtime/external-events/index.ts';
import { CONSOLE_ROUTES } from './console-app.ts';

/** In the texts of the account that is attacked. */
const WORD = 'aubergine';
const EVENT_ID = 'evt_00000000000000000000000001';
const TABLES = [
  ...['alert_rules', 'alert_rule_states', 'api_keys', 'connectors', 'conversations', 'external_events'],
  ...['phone_numbers', 'projects', 'webhook_deliveries', 'webhook_endpoints'],
];

let fixture: ConsoleFixture;
let stranger: TestPerson;
let ids: readonly string[] = [];

beforeAll(async () => {
  fixture = await startConsoleFixture({}, UNLIMITED);
  const { database, clock, project, connector } = fixture.rest;
  const admin = await fixture.signIn('admin');
  const add = async (path: string, body: object): Promise<string> =>
    String((await admin.call(`POST ${path}`, body)).body['id']);
  const rule = { name: WORD, metric: 'api_errors', operator: '>', threshold_value: 1, window_duration: '5m' };
  const url = `https://example.com/${WORD}`;
  const endpoint = await add('/webhook-endpoints', { name: WORD, url, event_types: ['alerts.triggered'] });
  const event = writeTestEvent('alerts.triggered', clock.now());
  await writeConversations(database, [
    recorded(fixture.rest, 'CONV-theirs', { start: { atMs: clock.now() }, turns: [said(WORD, WORD)] }),
  ]);
  const owner = { conversationId: 'CONV-theirs', sessionId: null, projectId: project.id };
  const wait = { type: 'wait_for_event', name: WORD, timeoutMs: 60_000, eventId: EVENT_ID } as const;
  await openWait(database, owner, wait, { nowMs: clock.now() });
  await database.query("INSERT INTO phone_numbers (number, project_id) VALUES ('+15550001', $1)", [
    project.id,
  ]);
  ids = [
    await add('/alert-rules', rule),
    endpoint,
    // Not due during the test.
    await queueDelivery(database, endpoint, event, clock.now() + 3_600_000),
    await add('/keys', { name: WORD, permissions: ['conversations'] }),
    ...['CONV-theirs', EVENT_ID, connector.id, project.id],
  ];
  const other = await addAccount(database, { slug: 'other' }, clock.now());
  await addProject(database, other, { slug: 'own' }, clock.now());
  stranger = await fixture.signIn('admin', other.id);
});
afterAll(() => fixture.stop());

/** The rows of the attacked account. */
async function readRows(): Promise<string> {
  const rows = await Promise.all(
    TABLES.map((table) =>
      fixture.rest.database.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t ORDER BY 1`),
    ),
  );
  return JSON.stringify(rows.map((each) => each.filter(({ row }) => ids.some((id) => row.includes(id)))));
}

it('no call of the console shows or changes anything of another account', async () => {
  const before = await readRows();
  const { project } = fixture.rest;
  const found: string[] = [];
  for (const route of CONSOLE_ROUTES.filter(({ streams }) => streams !== 'text/event-stream')) {
    const body = sampleBodyOf(route);
    const sent = body === undefined ? undefined : { ...body, event_id: EVENT_ID };
    const paths = ids.map((id) => route.path.replaceAll(/\{\w+\}/g, id));
    for (const path of new Set(paths))
      for (const query of ['', `?project=${project.id}`]) {
        const answer = await stranger.call(`${route.method} ${path}${query}`, sent);
        if (answer.text.includes(WORD)) found.push(`${route.id} ${path}${query}: ${answer.text}`);
      }
  }
  expect(found).toEqual([]);
  expect(await readRows()).toBe(before);
});
