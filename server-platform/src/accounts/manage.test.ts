import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE, type TestDatabase } from '../../test/db/engines.ts';
import { COMMANDS } from '../app/commands.ts';
import { systemClock } from '../kit/clock.ts';
import { findApiKey } from './api-keys.ts';
import { createCredentials } from './credentials.ts';
import type { CommandOutput, ManageOptions } from './manage-command.ts';

const readKey = (json: unknown): string => (json as { readonly key: string }).key;

const NO_OPTIONS: ManageOptions = { domains: [], apps: [], permissions: [], isLegacy: false };

describe('the commands', () => {
  let place: TestDatabase;
  const give = async (words: string, options: Partial<ManageOptions> = {}): Promise<CommandOutput> => {
    const [noun, verb, ...others] = words.split(' ');
    const output = await COMMANDS[`${noun} ${verb}`]?.run(place.database, others, {
      ...NO_OPTIONS,
      ...options,
    });
    if (output === undefined) throw new Error(`There is no command "${words}".`);
    return output;
  };
  const run = async (words: string, options?: Partial<ManageOptions>): Promise<readonly string[]> =>
    (await give(words, options)).lines;
  const list = async (words: string): Promise<unknown> => (await give(words)).json;

  beforeAll(async () => {
    place = await EMBEDDED_ENGINE.open();
    await run('account add shop', { name: 'Two words' });
    expect(await list('project list shop')).toEqual([]);
    await run('project add shop web');
    await run('connector add shop web site', { domains: ['example.com'] });
    await run('key add shop reports', { project: 'web', permissions: ['conversations'] });
    await run('key add * all', { permissions: ['conversations'] });
  });
  afterAll(() => place.close());

  it('writes keys and tokens as JSON with account and project, without secrets', async () => {
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    const hint = expect.stringMatching(/^.{4}$/);
    expect(await list('account list')).toEqual([
      { id: expect.stringMatching(/^ACCOUNT-/), slug: 'shop', name: 'Two words', created_at: at },
    ]);
    expect(await list('project list')).toMatchObject([{ account: 'shop', slug: 'web', agent: null }]);
    expect(await list('connector list shop web')).toEqual([
      {
        id: expect.any(String),
        name: 'site',
        account: 'shop',
        project: 'web',
        hosts: [{ kind: 'domain', value: 'example.com' }],
        environment: 'live',
        agent: null,
        handoff: null,
        token_hint: hint,
        created_at: at,
        last_used_at: null,
        revoked_at: null,
      },
    ]);
    expect(await list('key list')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ account: 'shop', project: 'web', name: 'reports', key_hint: hint }),
        expect.objectContaining({ account: null, project: null, name: 'all', expires_at: null }),
      ]),
    );
    expect(await list('webhook list dead')).toEqual([]);
  });

  it('prints account and project of keys and tokens as a table', async () => {
    expect((await run('project list')).join()).toContain('shop/web');
    expect((await run('connector list')).join()).toMatch(/^site +\S+ +shop\/web +example\.com/);
    expect((await run('key list shop')).join()).toContain('shop/web');
  });

  it('key rotate replaces a key, and keeps the old one valid for as long as requested', async () => {
    const { database } = place;
    const add = async (name: string, expires?: string): Promise<string> =>
      readKey((await give(`key add shop ${name}`, { permissions: ['chat'], expires })).json);
    const rotate = async (name: string, overlap?: string) => {
      const { json } = await give(`key rotate shop ${name}`, { overlap });
      return json as { key: string; previous: { id: string; expires_at: string | null } };
    };
    const works = async (key: string, afterMs = 0): Promise<boolean> =>
      (await findApiKey(database, key, Date.now() + afterMs)) !== null;
    const [first, short] = [await add('rotated'), await add('short', '2999-01-01')];

    const day = await rotate('rotated', '24h');
    expect([await works(first), await works(first, 24 * 3_600_000), await works(day.key)]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await run('key list shop')).filter((line) => line.startsWith('rotated'))).toEqual([
      expect.not.stringContaining('replaced'),
      expect.stringMatching(/never used +replaced, expires \d/),
    ]);
    const atOnce = await rotate('rotated');
    expect([await works(day.key), await works(atOnce.key), await works(first)]).toEqual([false, true, true]);
    expect(atOnce.previous.expires_at).toBeNull();
    await expect(give(`key rotate ${day.previous.id}`)).rejects.toThrow('no longer works');

    const { key } = await rotate('short', '365d');
    expect(await findApiKey(database, key, Date.now())).toMatchObject({
      expiresAtMs: Date.UTC(2999, 0, 1),
      permissions: ['chat'],
    });
    expect(await works(short, 366 * 86_400_000)).toBe(false);
    await expect(give('key rotate shop short', { overlap: '2 weeks' })).rejects.toThrow('such as 30m, 24h');
  });

  it('prints when keys and tokens were last used, to the minute', async () => {
    const { database } = place;
    const nowMs = Date.UTC(2026, 4, 1, 9, 30, 59);
    const credentials = createCredentials(database, { ...systemClock, now: () => nowMs });
    const key = readKey((await give('key add shop used', { permissions: ['chat'] })).json);
    const { json } = await give('connector add shop web used', { domains: ['example.org'] });
    await credentials.findKey(key, nowMs);
    await credentials.findKey('nak_a-guess-that-is-no-key', nowMs);
    await credentials.findConnector((json as { token: string }).token);
    const used = async (): Promise<string> =>
      [...(await run('key list shop')), ...(await run('connector list shop web'))]
        .filter((line) => line.startsWith('used '))
        .join();
    expect(await used()).not.toContain('2026-05-01');
    await credentials.writeUses();
    expect((await used()).match(/used 2026-05-01T09:30Z/g)).toHaveLength(2);
    // Another node with a slow clock has recorded an earlier use.
    await credentials.findKey(key, nowMs - 600_000);
    await credentials.writeUses();
    expect((await used()).match(/used 2026-05-01T09:30Z/g)).toHaveLength(2);
  });

  it('accepts only configured agents, or any if the agents are not known', async () => {
    await expect(
      run('project add shop one', { agent: 'nobody', agents: ['ada', 'bo'] }),
    ).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('There is no agent "nobody"; there are "ada", "bo".'),
    });
    await run('project add shop one', { agent: 'ada', agents: ['ada'] });
    await run('project add shop two', { agent: 'program' });
    expect((await run('project list shop')).join()).not.toContain('nobody');
  });
});
