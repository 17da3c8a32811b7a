import { addAccount, addApiKey, addConnector, addProject, listAccounts } from '../../accounts/index.ts';
import { setNumberPool } from '../../api/numbers/index.ts';
import type { Database } from '../../db/index.ts';
import type { AddedConnector, AddedKey } from './apply-config.ts';
import { DEMO_AGENT } from './load-config.ts';

/** Secrets of the development account. */
export type DevelopmentAccount = {
  readonly connector: AddedConnector;
  readonly keys: readonly AddedKey[];
};

// One per kind of scope: project, account, one family. Source: rest.md 1.5.
const KEYS = [
  { name: 'runtime', isOfProject: true, permissions: ['chat', 'conversations', 'analytics', 'handoff'] },
  { name: 'external-events', isOfProject: true, permissions: ['external_events'] },
  { name: 'dni', isOfProject: true, permissions: ['dni'] },
  { name: 'erasure', isOfProject: true, permissions: ['erasure'] },
  { name: 'monitoring', isOfProject: false, permissions: ['monitoring', 'conversations'] },
  { name: 'legacy', isOfProject: false, permissions: ['conversations'], isLegacy: true },
] as const;

// Reserved for fiction, so that no real subscriber can be called by mistake.
const NUMBERS = ['+441632960001', '+441632960002', '+441632960003'];

/**
 * Adds a development account to a database without accounts: account and project `kittiwake` with the demo agent, a
 * connector for pages on localhost, three phone numbers, and API keys for every route group. Resolves with their
 * secrets, or with null when there is an account already.
 * is an account already.
 */
export async function seedDevelopment(database: Database): Promise<DevelopmentAccount | null> {
  return await database.tx(async (sql) => {
    await sql.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
    if ((await listAccounts(sql)).length > 0) return null;
    const account = await addAccount(sql, { slug: 'kittiwake', name: 'Kittiwake Ferries' });
    const project = await addProject(sql, account, {
      slug: 'kittiwake',
      name: 'Kittiwake Ferries',
      agent: DEMO_AGENT,
      handoff: 'scripted',
    });
    const { connector, token } = await addConnector(sql, {
      project,
      name: 'development',
      hosts: [
        { kind: 'domain', value: 'localhost' },
        { kind: 'domain', value: '127.0.0.1' },
      ],
      // The default environment of conversation lists.
      environment: 'live',
    });
    await setNumberPool(sql, project.id, NUMBERS);
    const keys: AddedKey[] = [];
    for (const { isOfProject, ...entry } of KEYS) {
      const { key } = await addApiKey(sql, { ...entry, account, ...(isOfProject && { project }) });
      keys.push({
        account: account.slug,
        project: isOfProject ? project.slug : null,
        name: entry.name,
        permissions: entry.permissions,
        key,
        isGiven: false,
      });
    }
    const names = { account: account.slug, project: project.slug, connector: connector.name };
    return { connector: { ...names, token, isGiven: false }, keys };
  });
}
