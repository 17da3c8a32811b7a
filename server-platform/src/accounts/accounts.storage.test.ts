import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../test/db/engines.ts';
import { type Account, addAccount, findAccount } from './accounts.ts';
import {
  addConnector,
  changeConnector,
  findConnectorById,
  findConnectorByToken,
  findConnectorsById,
  listConnectors,
  revokeConnector,
} from './connectors.ts';
import { addProject, changeProject, findProject, type Project } from './projects.ts';
import { readReference } from './reference.ts';

const HOSTS = [{ kind: 'domain' as const, value: 'example.com' }];

describeStorage('accounts', ({ open }) => {
  let place: TestDatabase;
  let account: Account;
  let project: Project;
  beforeAll(async () => {
    place = await open();
    account = await addAccount(place.database, {
      slug: 'ferries',
      id: 'ACCOUNT-blue1',
      name: 'Kittiwake Ferries',
    });
    project = await addProject(place.database, account, { slug: 'web', agent: 'ada' });
  });
  afterAll(() => place.close());

  it.each(['ferries', 'ACCOUNT-blue1', 'ws-blue1'])('finds an account as %s (C-4)', async (reference) => {
    expect(await findAccount(place.database, reference)).toEqual(account);
  });

  it.each(['nobody', 'ACCOUNT-blue2', 'PROJECT-blue1', '', 'a b', "'; --"])(
    'finds no account as %j',
    async (reference) => {
      expect(await findAccount(place.database, reference)).toBeNull();
    },
  );

  it('reads an account name as a prefixed id before reading it as a slug (C-5)', async () => {
    const trap = await addAccount(place.database, { slug: 'ws-blue1' });
    expect(await findAccount(place.database, 'ws-blue1')).toEqual(account);
    expect(await findAccount(place.database, trap.id)).toEqual(trap);
  });

  it('refuses a duplicate or invalid slug for an account or project', async () => {
    await expect(addAccount(place.database, { slug: 'ferries' })).rejects.toMatchObject({ code: 'exists' });
    await expect(addProject(place.database, account, { slug: 'web' })).rejects.toMatchObject({
      code: 'exists',
    });
    await expect(addAccount(place.database, { slug: '-ferries' })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('finds a project by id and slug, within its account only', async () => {
    const other = await addAccount(place.database, { slug: 'buses' });
    expect(await findProject(place.database, account, 'web')).toEqual(project);
    expect(await findProject(place.database, account, project.id)).toEqual(project);
    expect(await findProject(place.database, other, 'web')).toBeNull();
    expect(await findProject(place.database, other, project.id)).toBeNull();
  });

  it('changes only the given fields of a project', async () => {
    const own = await addProject(place.database, account, { slug: 'keys', agent: 'ada' });
    const contextKeys = new Map([['key-1', 's'.repeat(32)]]);
    await changeProject(place.database, own, { contextKeys });
    expect(await findProject(place.database, account, 'keys')).toEqual({ ...own, contextKeys });
  });

  it('tells of a connector whether its project has context keys', async () => {
    const own = await addProject(place.database, account, { slug: 'signed' });
    const { connector } = await addConnector(place.database, { project: own, name: 'web', hosts: HOSTS });
    expect(connector.hasContextKeys).toBe(false);
    await changeProject(place.database, own, { contextKeys: new Map([['key-1', 's'.repeat(32)]]) });
    expect(await findConnectorById(place.database, connector.id)).toEqual({
      ...connector,
      hasContextKeys: true,
    });
  });

  it('shows a connector token once and stores only its hash', async () => {
    const { connector, token } = await addConnector(place.database, {
      project,
      name: 'once',
      hosts: HOSTS,
    });
    expect(token).toMatch(/^nct_[A-Za-z0-9_-]{43}$/);
    expect(connector.tokenHint).toBe(token.slice(-4));
    const rows = await place.database.query('SELECT * FROM connectors WHERE id = $1', [connector.id]);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    expect(await findConnectorByToken(place.database, token)).toEqual(connector);
  });

  it.each(['', 'nct_unknown', 'nct_\u0000', 'ü'.repeat(40)])(
    'finds no connector for the token %j',
    async (token) => {
      expect(await findConnectorByToken(place.database, token)).toBeNull();
    },
  );

  it('refuses a revoked connector token, keeps the connector and frees its name', async () => {
    const { connector, token } = await addConnector(place.database, {
      project,
      name: 'gone',
      hosts: HOSTS,
    });
    expect(await revokeConnector(place.database, connector.id, 5)).toBe(true);
    expect(await revokeConnector(place.database, connector.id, 6)).toBe(false);
    expect(await findConnectorByToken(place.database, token)).toBeNull();
    expect(await findConnectorById(place.database, connector.id)).toMatchObject({ revokedAtMs: 5 });
    const twin = await addConnector(place.database, { project, name: 'gone', hosts: HOSTS });
    const ids = [twin.connector.id, randomUUID(), connector.id, twin.connector.id];
    const found = await findConnectorsById(place.database, ids);
    expect(found.map((each) => each?.revokedAtMs)).toEqual([null, undefined, 5, null]);
    const names = (await listConnectors(place.database, project)).map(({ name, revokedAtMs }) => [
      name,
      revokedAtMs,
    ]);
    expect(names.at(-1)).toEqual(['gone', 5]);
  });

  it("refuses a connector's name or given token that is in use", async () => {
    const token = 'a-token-for-tests-only';
    await addConnector(place.database, { project, name: 'first', hosts: HOSTS, token });
    await expect(addConnector(place.database, { project, name: 'first', hosts: HOSTS })).rejects.toThrow(
      'has a connector "first" already',
    );
    const second = addConnector(place.database, { project, name: 'second', hosts: HOSTS, token });
    await expect(second).rejects.toThrow('belongs to another connector');
    await expect(second).rejects.not.toThrow(token);
    await expect(
      addConnector(place.database, { project, name: 'short', hosts: HOSTS, token: 'short' }),
    ).rejects.toMatchObject({ code: 'invalid' });
  });

  it.each([
    ['domain', '*.example.com'],
    ['domain', 'intranet'],
    ['domain', 'ftp://example.com'],
    ['app', 'com example'],
    ['app', ' '],
  ] as const)('refuses the %s %j when a connector is registered (HOST-10)', async (kind, value) => {
    const hosts = [...HOSTS, { kind, value }];
    await expect(addConnector(place.database, { project, name: 'bad', hosts })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('gives connector settings their defaults, and keeps unnamed settings', async () => {
    const { connector } = await addConnector(place.database, {
      project,
      name: 'settings',
      hosts: HOSTS,
      settings: { eventVocabulary: 'poly' },
    });
    expect(connector.agent).toBe('ada');
    expect(connector.settings).toMatchObject({
      eventVocabulary: 'poly',
      enforceOrigin: true,
      idleWarning: false,
    });
    await changeConnector(place.database, connector, { settings: { agent: 'bo', csat: true } });
    const changed = await findConnectorById(place.database, connector.id);
    expect(changed).toMatchObject({ agent: 'bo', hosts: HOSTS });
    expect(changed?.settings).toEqual({ ...connector.settings, agent: 'bo', csat: true });
  });
});

describe('references', () => {
  it('finds no account or project for a reference that fits neither form', () => {
    expect(readReference('PROJECT', 'a/b')).toEqual({ id: null, slug: null });
    expect(readReference('PROJECT', 'ACCOUNT-1')).toEqual({ id: null, slug: 'ACCOUNT-1' });
    expect(readReference('ACCOUNT', 'ws-1')).toEqual({ id: 'ACCOUNT-1', slug: 'ws-1' });
  });
});
