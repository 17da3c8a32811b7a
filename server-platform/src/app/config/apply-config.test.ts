import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE, type TestDatabase } from '../../../test/db/engines.ts';
import {
  findAccount,
  findApiKey,
  findApiKeyByName,
  findConnectorByToken,
  findProject,
  listConnectors,
  revokeApiKey,
  revokeConnector,
  rotateApiKey,
} from '../../accounts/index.ts';
import type { AccountEntry } from './account-entry.ts';
import { applyConfig } from './apply-config.ts';
import { parseConfigFile } from './load-config.ts';
import { seedDevelopment } from './seed-development.ts';

const TOKEN = 'a-connector-token-of-tests';

function entriesOf(fields: object = {}, connectorFields: object = {}): readonly AccountEntry[] {
  const connector = { name: 'web', token: TOKEN, hosts: ['example.com'], ...connectorFields };
  const project = {
    slug: 'p',
    connectors: [connector, { name: 'app', hosts: [{ kind: 'app', value: 'com.x' }] }],
    ...fields,
  };
  return parseConfigFile(JSON.stringify({ accounts: [{ slug: 'a', projects: [project] }] }), 'test.json')
    .accounts;
}

describe('applying a configuration', () => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await EMBEDDED_ENGINE.open();
  });
  afterAll(() => place.close());

  it('gives an empty database a trial account, once', async () => {
    const seeded = await seedDevelopment(place.database);
    expect(seeded?.connector).toMatchObject({ account: 'kittiwake', project: 'kittiwake', isGiven: false });
    const connector = await findConnectorByToken(place.database, seeded?.connector.token ?? '');
    expect(connector).toMatchObject({ agent: 'kittiwake', environment: 'live' });
    expect(connector?.hosts).toContainEqual({ kind: 'domain', value: 'localhost' });
    expect(await seedDevelopment(place.database)).toBeNull();
  });

  it('adds missing items of the configuration, prints the tokens, and changes nothing the second time', async () => {
    const added = await applyConfig(place.database, entriesOf());
    expect(added.connectors).toMatchObject([
      { account: 'a', project: 'p', connector: 'web', token: TOKEN, isGiven: true },
      { connector: 'app', token: expect.stringMatching(/^nct_/), isGiven: false },
    ]);
    const before = await listConnectors(place.database);
    expect(await applyConfig(place.database, entriesOf())).toEqual({ connectors: [], keys: [], notes: [] });
    expect(await listConnectors(place.database)).toEqual(before);
  });

  it('starts with a configuration whose keys and tokens were rotated or revoked, and does not restore them', async () => {
    const { database } = place;
    const nowMs = Date.now();
    const keys = ['rotated', 'renewed', 'revoked'].map((name) => ({
      ...{ name, permissions: ['conversations'], key: `a-key-of-tests-${name}` },
    }));
    const connectors = [{ name: 'old', token: 'a-revoked-token-of-tests', hosts: ['example.com'] }];
    const entries = parseConfigFile(
      JSON.stringify({ accounts: [{ slug: 'former', keys, projects: [{ slug: 'p', connectors }] }] }),
      'test.json',
    ).accounts;
    await applyConfig(database, entries);
    const account = await findAccount(database, 'former');
    const find = async (name: string) => {
      const key = await findApiKeyByName(database, account, name);
      if (key === null) throw new Error(`There is no key ${name}.`);
      return key;
    };
    const rotated = await rotateApiKey(database, await find('rotated'), 60_000, nowMs);
    const renewed = await rotateApiKey(database, await find('renewed'), 0, nowMs);
    await revokeApiKey(database, (await find('revoked')).id, nowMs);
    const connector = await findConnectorByToken(database, 'a-revoked-token-of-tests');
    await revokeConnector(database, connector?.id ?? '', nowMs);

    const { notes, ...added } = await applyConfig(database, entries);
    expect(added).toEqual({ connectors: [], keys: [] });
    expect(notes.map((note) => note.split(':')[0])).toEqual([
      ...['accounts[0].projects[0].connectors[0]', 'accounts[0].keys[0]'],
      ...['accounts[0].keys[1]', 'accounts[0].keys[2]'],
    ]);
    const works = async (text: string) => (await findApiKey(database, text, nowMs + 1)) !== null;
    expect([await works(rotated.key), await works('a-key-of-tests-rotated')]).toEqual([true, true]);
    expect([await works(renewed.key), await works('a-key-of-tests-renewed')]).toEqual([true, false]);
    expect(await works('a-key-of-tests-revoked')).toBe(false);
    expect(await findConnectorByToken(database, 'a-revoked-token-of-tests')).toBeNull();
  });

  it("replaces a project's number pool by the configured numbers, and keeps the pool if there are none (DN-2)", async () => {
    const numbersOf = async () =>
      (
        await place.database.query<{ number: string }>(
          `SELECT n.number FROM phone_numbers n JOIN projects p ON p.id = n.project_id
            WHERE p.slug = 'p' ORDER BY n.number`,
        )
      ).map(({ number }) => number);
    await applyConfig(place.database, entriesOf({ numbers: ['+15550001', '+15550002'] }));
    await applyConfig(place.database, entriesOf());
    expect(await numbersOf()).toEqual(['+15550001', '+15550002']);
    await applyConfig(place.database, entriesOf({ numbers: ['+15550002'] }));
    expect(await numbersOf()).toEqual(['+15550002']);
    const taken = applyConfig(place.database, entriesOf({ numbers: ['+441632960001'] }));
    await expect(taken).rejects.toThrow('accounts[0].projects[0].numbers');
    expect(await numbersOf()).toEqual(['+15550002']);
    expect(() => entriesOf({ numbers: ['0123'] })).toThrow('must be a phone number');
  });

  it('updates existing items from the configuration, keeping unnamed ids and tokens', async () => {
    await applyConfig(place.database, entriesOf());
    const before = await findConnectorByToken(place.database, TOKEN);
    const moved = { hosts: ['example.org'], settings: { enforce_origin: false }, token: `${TOKEN}-2` };
    await applyConfig(
      place.database,
      entriesOf(
        { name: 'Shop', contextKeys: { k1: 's'.repeat(32) }, variants: [{ id: 'v1', name: 'North' }] },
        moved,
      ),
    );
    const after = await findConnectorByToken(place.database, `${TOKEN}-2`);
    expect(after).toMatchObject({ id: before?.id, hosts: [{ kind: 'domain', value: 'example.org' }] });
    expect(after?.settings.enforceOrigin).toBe(false);
    expect(await findConnectorByToken(place.database, TOKEN)).toBeNull();
    const account = await findAccount(place.database, 'a');
    if (account === null) throw new Error('no account');
    const project = await findProject(place.database, account, 'p');
    expect(project).toMatchObject({
      name: 'Shop',
      contextKeys: new Map([['k1', 's'.repeat(32)]]),
      variants: [{ id: 'v1', name: 'North', agent: null }],
    });
  });

  it('gives the trial account a key for every family', async () => {
    const place = await EMBEDDED_ENGINE.open();
    const seeded = await seedDevelopment(place.database);
    const found = await Promise.all(
      (seeded?.keys ?? []).map(({ key }) => findApiKey(place.database, key, Date.now())),
    );
    expect(found.map((key) => [key?.name, key?.service, key?.projectId !== null, key?.isLegacy])).toEqual([
      ['runtime', 'runtime', true, false],
      ['external-events', 'runtime', true, false],
      ['dni', 'runtime', true, false],
      ['erasure', 'runtime', true, false],
      ['monitoring', 'monitoring', false, false],
      ['legacy', 'runtime', false, true],
    ]);
    await place.close();
  });

  it('adds the configured keys of accounts and projects, and changes them with the file', async () => {
    const key = 'a-key-of-tests-and-nothing-else';
    const withKeys = (permissions: readonly string[]): readonly AccountEntry[] =>
      entriesOf({
        keys: [
          { name: 'reports', key, permissions, expires: '2999-01-01' },
          { name: 'bot', permissions },
        ],
      });
    const added = await applyConfig(place.database, withKeys(['conversations']));
    expect(added.keys).toMatchObject([
      { name: 'reports', account: 'a', project: 'p', key, isGiven: true },
      { name: 'bot', key: expect.stringMatching(/^nak_/), isGiven: false },
    ]);
    expect((await applyConfig(place.database, withKeys(['analytics']))).keys).toEqual([]);
    expect(await findApiKey(place.database, key, Date.now())).toMatchObject({
      permissions: ['analytics'],
      expiresAtMs: Date.UTC(2999, 0, 1),
    });
  });

  it('names the configuration entry that cannot be applied, and applies none', async () => {
    const [fresh] = entriesOf({}, { token: undefined, hosts: ['intranet'] });
    if (fresh === undefined) throw new Error('no entry');
    await expect(applyConfig(place.database, [{ ...fresh, slug: 'new' }])).rejects.toMatchObject({
      problems: [
        { field: 'accounts[0].projects[0].connectors[0]', message: expect.stringContaining('intranet') },
      ],
    });
    expect(await findAccount(place.database, 'new')).toBeNull();
  });
});
