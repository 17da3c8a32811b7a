import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ISLAND_ARTICLES } from '../../test/agents/island-articles.ts';
import { loadAgent } from './create-agent.ts';

it('lets other work come in between while it prepares many articles', async () => {
  const knowledgeFolder = await mkdtemp(join(tmpdir(), 'natter-articles-'));
  await writeFile(join(knowledgeFolder, 'parking.md'), '---\ntitle: Parking\n---\nIt costs £6 a day.\n');
  const source = await loadAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder });
  const articles = Array.from({ length: 50 }, () => ISLAND_ARTICLES).flat();
  let turns = 0;
  let isBuilt = false;
  const count = (): void => {
    if (isBuilt) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await source.build(articles);
  isBuilt = true;
  expect(turns).toBeGreaterThan(articles.length);
  await rm(knowledgeFolder, { recursive: true });
});
