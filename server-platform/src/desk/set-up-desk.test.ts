import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { checkPassword } from '../staff/password.ts';
import { listPeople } from '../staff/people.ts';
import { isQueueOpen, listQueues } from './queues.ts';
import { deskEntrySchema, setUpDesk } from './set-up-desk.ts';

describe('the desk of a configuration file', () => {
  it('adds missing people, updates queues, and leaves everything else unchanged', async () => {
    const place = await EMBEDDED_ENGINE.open();
    const { database } = place;
    await database.query("INSERT INTO accounts (id, slug, name, created_at) VALUES ('A', 'a', 'A', 0)");
    const apply = (entry: object): Promise<void> =>
      setUpDesk(database, 'A', v.parse(deskEntrySchema, entry), Date.parse('2026-07-13T12:00:00Z'));
    const grace = { email: 'Grace@example.com', name: 'Grace', password: 'a first password' };
    await apply({
      queues: [{ name: 'Support' }, { name: 'Tax' }],
      people: [{ ...grace, queues: ['support'] }],
    });
    await apply({
      queues: [{ name: 'Support', hours: 'Tu 09:00-17:00' }],
      people: [{ ...grace, name: 'Other', password: 'another password' }],
    });
    await apply({
      replies: [
        { name: 'hello', text: 'Hi.' },
        { name: 'bye', text: 'Bye.' },
      ],
    });
    await apply({ replies: [{ name: 'hello', text: 'Hello.' }] });
    const [person, ...others] = await listPeople(database, 'A');
    const [support] = await listQueues(database, 'A');
    expect([others, person?.name, person?.queueIds]).toEqual([[], 'Grace', [support?.id]]);
    expect(await checkPassword('a first password', person?.passwordHash ?? '')).toBe(true);
    expect(support && isQueueOpen(support, Date.parse('2026-07-13T12:00:00Z'))).toBe(false);
    expect(await database.query('SELECT name, text FROM desk_replies ORDER BY name')).toEqual([
      { name: 'bye', text: 'Bye.' },
      { name: 'hello', text: 'Hello.' },
    ]);
    await place.close();
  });

  it.each([
    [{ queues: [{ name: 'a', hours: 'nine to five' }] }, 'Opening hours with "nine to five" cannot be read.'],
    [{ queues: [{ name: 'a', timezone: 'Mars' }] }, 'must be a name such as'],
    [{ people: [{ email: 'grace', name: 'a', password: 'a first password' }] }, 'must be an email address'],
    [{ people: [{ email: 'a@b', name: 'a', password: 'short' }] }, 'must have at least 12 characters'],
  ])('refuses %j', (entry, text) => expect(() => v.parse(deskEntrySchema, entry)).toThrow(text));
});
