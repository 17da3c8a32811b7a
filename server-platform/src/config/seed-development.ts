import { addAccount, addConnector, addProject, listAccounts } from '../accounts/index.ts';
import type { Database } from '../db/index.ts';
import type { AddedConnector } from './apply-config.ts';
import { DEMO_AGENT } from './load-config.ts';

/**
 * Gives a database without any account one to try the platform with: account and project `kittiwake` with the demo agent,
 * and a connector for pages on localhost. Resolves with the connector and its token, or with null when there is an
 * account already.
 */
export async function seedDevelopment(database: Database): Promise<AddedConnector | null> {
  return await database.tx(async (sql) => {
    await sql.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
    if ((await listAccounts(sql)).length > 0) return null;
    const account = await addAccount(sql, { slug: 'kittiwake', name: 'Kittiwake Ferries' });
    const project = await addProject(sql, account, {
      slug: 'kittiwake',
      name: 'Kittiwake Ferries',
      agent: DEMO_AGENT,
    });
    const { connector, token } = await addConnector(sql, {
      project,
      name: 'development',
      hosts: [
        { kind: 'domain', value: 'localhost' },
        { kind: 'domain', value: '127.0.0.1' },
      ],
      environment: 'sandbox',
    });
    return { account: account.slug, project: project.slug, connector: connector.name, token, isGiven: false };
  });
}
