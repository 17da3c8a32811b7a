import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleFixture, startConsoleFixture } from '../../test/console-api/console-fixture.ts';
import { recorded, said } from '../../test/records/conversations/recorded.ts';
import { writeConversations } from '../realtime/event-log/index.ts';

describe('what a supervisor has open at the console', () => {
  let fixture: ConsoleFixture;
  beforeAll(async () => {
    fixture = await startConsoleFixture();
    await writeConversations(
      fixture.rest.database,
      // More than the streams between the database and the reader take ahead.
      Array.from({ length: 1_000 }, (_, index) =>
        recorded(fixture.rest, `CONV-${index}`, {
          start: { atMs: fixture.rest.clock.now() },
          turns: [said('Hello', 'At nine.')],
          end: { atMs: fixture.rest.clock.now(), reason: 'user' },
        }),
      ),
    );
  });
  afterAll(() => fixture.stop());
  const demote = (id: string) =>
    fixture.rest.database.query("UPDATE desk_people SET role = 'agent' WHERE id = $1", [id]);
  const signOut = (id: string) =>
    fixture.rest.database.query('DELETE FROM desk_sign_ins WHERE person_id = $1', [id]);
  const hideTexts = () =>
    fixture.rest.database.query(
      `UPDATE projects SET settings = settings || '{"conversations":{"show_transcripts":false}}' WHERE id = $1`,
      [fixture.rest.project.id],
    );

  it.each([
    ['not_allowed', demote],
    ['signed_out', signOut],
  ] as const)('the open conversations: ends within two seconds, as %s', async (reason, change) => {
    const sue = await fixture.signIn('supervisor');
    const stream = await sue.fetch('GET /live');
    const reader = stream.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('still here');
    await change(sue.id);
    fixture.rest.clock.skip(1_000);
    let text = '';
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) break;
      text += new TextDecoder().decode(value);
    }
    expect(text).toMatch(new RegExp(`event: closed\ndata: {"reason":"${reason}"}\n\n$`));
    expect((await sue.call('GET /live')).status).toBe(reason === 'signed_out' ? 401 : 403);
  });

  it.each([
    ['the person gets another role', demote],
    ['the person is signed out', signOut],
    ['the project stops to show transcripts', hideTexts],
  ])('an export that runs breaks off within two seconds when %s', async (_what, change) => {
    const sue = await fixture.signIn('supervisor');
    const file = await sue.fetch('GET /conversation-export/jsonl');
    const reader = file.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await change(sue.id);
    fixture.rest.clock.skip(1_000);
    const readRest = async (): Promise<number> => {
      for (let lines = 1; ; lines += 1) {
        if ((await reader?.read())?.done !== false) return lines;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await expect(readRest()).rejects.toThrow('The person may not have the rest');
  });
});
