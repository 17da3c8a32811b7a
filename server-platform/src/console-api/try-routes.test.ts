import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  startConsoleFixture,
  type TestPerson,
} from '../../test/console-api/console-fixture.ts';
import { setNumberPool } from '../api/numbers/number-pool.ts';

describe('numbers, external events and voice in the console', () => {
  let fixture: ConsoleFixture;
  let rita: TestPerson;
  beforeAll(async () => {
    fixture = await startConsoleFixture();
    rita = await fixture.signIn('admin');
  });
  afterAll(() => fixture.stop());

  it('reserve a number, which is shown as reserved with its attributes, until there is none', async () => {
    const { database, project } = fixture.rest;
    await setNumberPool(database, project.id, ['+441632960001']);
    expect((await rita.call('GET /numbers')).body).toEqual({ total: 1, reserved_total: 0, reserved: [] });
    const attributes = { booking: 'KF-4821' };
    const reserved = await rita.call('POST /numbers/reserve', { attributes });
    expect(reserved.body).toEqual({ dni: '+441632960001' });
    expect((await rita.call('GET /numbers')).body).toMatchObject({
      total: 1,
      reserved_total: 1,
      reserved: [{ number: '+441632960001', attributes, until: expect.any(String) }],
    });
    const none = await rita.call('POST /numbers/reserve', { attributes });
    expect([none.status, none.body['error_message']]).toEqual([
      404,
      expect.stringContaining('no available route found'),
    ]);
    expect((await rita.call('POST /numbers/reserve', { attributes: 7 })).status).toBe(400);
  });

  it('send an event to what waits for it', async () => {
    const { database, project, clock } = fixture.rest;
    await database.query(
      `INSERT INTO external_waits (event_id, conversation_id, project_id, name, send_to_llm, created_at, expires_at, due_at)
       VALUES ('evt_1', 'CONV-1', $1, 'payment', false, $2, $3, $3), ('evt_0', 'CONV-0', $1, 'old', false, $2, $2, $2)`,
      [project.id, clock.now(), clock.now() + 3_600_000],
    );
    expect((await rita.call('GET /external-events')).body['waits']).toMatchObject([
      { event_id: 'evt_1', conversation_id: 'CONV-1', name: 'payment' },
    ]);
    expect(
      (await rita.call('POST /external-events', { event_id: 'evt_1', json: { paid: true } })).status,
    ).toBe(200);
    const events = await database.query('SELECT event_id, data FROM external_events');
    expect(events).toMatchObject([{ event_id: 'evt_1' }]);
    expect(JSON.stringify(events)).toContain('paid');
    const unknown = await rita.call('POST /external-events', { event_id: 'evt_2', json: {} });
    expect([unknown.status, unknown.body['error_message']]).toEqual([
      400,
      expect.stringContaining('External event id not valid'),
    ]);
  });

  it('say why a text cannot be spoken', async () => {
    const body = { text: 'Hello', language: 'en', config: {}, provider: 'nobody' };
    const refused = await rita.call('POST /voice-preview', body);
    expect([refused.status, refused.body['error_message']]).toEqual([
      400,
      expect.stringContaining('must be one of: embedded'),
    ]);
    expect((await (await fixture.signIn('supervisor')).call('POST /voice-preview', body)).status).toBe(403);
  });
});
