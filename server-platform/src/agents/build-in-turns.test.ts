import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { actionsOf, messageTurn } from '../../test/agents/agent-turn.ts';
import { ISLAND_ARTICLES } from '../../test/agents/island-articles.ts';
import { type AgentSource, loadAgent } from './create-agent.ts';

/** Counts the turns of the event loop until the work is done. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

async function loadParkingAgent(): Promise<AgentSource> {
  const knowledgeFolder = await mkdtemp(join(tmpdir(), 'natter-articles-'));
  onTestFinished(() => rm(knowledgeFolder, { recursive: true }));
  await writeFile(join(knowledgeFolder, 'parking.md'), '---\ntitle: Parking\n---\nIt costs £6 a day.\n');
  return await loadAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder, pacing: { minMs: 0, maxMs: 0 } });
}

it('lets other work come in between while it prepares many articles', async () => {
  const source = await loadParkingAgent();
  const articles = Array.from({ length: 5 }, () => ISLAND_ARTICLES).flat();
  expect(await countTurns(() => source.build(articles))).toBeGreaterThan(articles.length);
});

it('lets other work come in between while it answers the questions of one message', async () => {
  const { agent } = await (await loadParkingAgent()).build(ISLAND_ARTICLES);
  const text = 'Can I bring my dog? How much is parking? Is there wifi?';
  expect(await countTurns(() => actionsOf(agent, messageTurn(text)))).toBeGreaterThanOrEqual(3);
});
