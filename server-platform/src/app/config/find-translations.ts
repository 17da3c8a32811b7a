import { findAccount, findProject } from '../../accounts/index.ts';
import type { Sql } from '../../db/index.ts';
import type { TranslationEndpoint } from '../../records/translation/translation-endpoint.ts';
import type { AccountEntry } from './account-entry.ts';

/**
 * Returns the translation endpoint of each project, by project id, after the configuration was applied. Endpoints stay
 * in the configuration, because their keys should not be stored in the database.
 */
export async function findTranslations(
  sql: Sql,
  entries: readonly AccountEntry[],
): Promise<ReadonlyMap<string, TranslationEndpoint>> {
  const found = new Map<string, TranslationEndpoint>();
  for (const { slug, projects } of entries) {
    const translated = projects.filter(({ translation = null }) => translation !== null);
    const account = translated.length === 0 ? null : await findAccount(sql, slug);
    if (account === null) continue;
    for (const { slug: reference, translation } of translated) {
      const project = await findProject(sql, account, reference);
      if (project !== null && translation != null) found.set(project.id, translation);
    }
  }
  return found;
}
