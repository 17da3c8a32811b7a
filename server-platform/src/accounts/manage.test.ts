import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../commands.ts';
import { EMBEDDED_ENGINE, type TestDatabase } from '../db/testing/engines.ts';
import type { ManageOptions } from './manage-command.ts';

const NO_OPTIONS: ManageOptions = { domains: [], apps: [], permissions: [], isLegacy: false };

describe('the lists of the command line', () => {
  let place: TestDatabase;
  const run = async (words: string, options: Partial<ManageOptions> = {}): Promise<readonly string[]> => {
    const [noun, verb, ...others] = words.split(' ');
    const command = COMMANDS[`${noun} ${verb}`];
    return (await command?.run(place.database, others, { ...NO_OPTIONS, ...options })) ?? [];
  };
  const list = async (words: string): Promise<unknown> =>
    JSON.parse((await run(words, { isJson: true })).join('\n'));

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

  it('are JSON with account and project, without tokens and keys', async () => {
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

  it('show account and project to people', async () => {
    expect((await run('project list')).join()).toContain('shop/web');
    expect((await run('connector list')).join()).toMatch(/^site +\S+ +shop\/web +example\.com/);
    expect((await run('key list shop')).join()).toContain('shop/web');
  });

  it('take no agent that is not configured, and any where the agents are not known', async () => {
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
