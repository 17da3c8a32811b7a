import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRASH_TOKEN_SECRET } from '../../../test/realtime/crash-options.ts';
import {
  createNodes,
  NODES_DATABASE_URL,
  REACHABLE_BUSES,
  type TestNodes,
} from '../../../test/realtime/nodes.ts';
import { isEndOfMessage } from '../../../test/realtime/test-platform.ts';
import { openNodeTraceReader } from '../../app/cli/open-node-trace-reader.ts';
import { loadConfig, type PlatformConfig } from '../../app/config/index.ts';
import { runCommand } from '../../app/run-command.ts';
import type { Platform } from '../../app/start-platform.ts';
import { openDatabase } from '../../db/index.ts';
import type { Timeline } from './timeline.ts';

describe.skipIf(NODES_DATABASE_URL === '').each(REACHABLE_BUSES)(
  'session show beside two nodes on $name',
  ({ busUrl }) => {
    let nodes: TestNodes;
    let one: Platform;
    let sessionId: string;
    beforeAll(async () => {
      nodes = await createNodes(busUrl === null ? {} : { busUrl });
      one = await nodes.start();
      const two = await nodes.start();
      const session = await nodes.startSession(one);
      ({ sessionId } = session);
      const owner = await nodes.connect(one, session);
      owner.send('REQUEST_AGENT_JOIN');
      await owner.next(isEndOfMessage);
      const other = await nodes.connect(two, session);
      other.send('USER_MESSAGE', { text: 'over the other node' });
      await other.next('USER_MESSAGE');
      await other.next(isEndOfMessage);
    });
    afterAll(() => nodes.close());

    /** The command in a separate process, beside the nodes. */
    const show = async (change: Partial<PlatformConfig> = {}): Promise<Timeline> => {
      const defaults = await loadConfig({}, {});
      const place = { ...defaults.database, url: nodes.databaseUrl };
      const config = { ...defaults, database: place, busUrl, tokenSecrets: [CRASH_TOKEN_SECRET], ...change };
      const database = await openDatabase({ databaseUrl: nodes.databaseUrl });
      const questions = await openNodeTraceReader(config, database);
      const { readTraces } = questions;
      const context = { database, config, agents: [], readTraces };
      const request = { command: 'session show', words: [sessionId], values: { json: true } };
      const answer = await runCommand(context, request);
      await questions.close();
      await database.close();
      return JSON.parse(answer.status === 'done' ? answer.lines.join('\n') : answer.message);
    };

    it("session show includes the frames of the socket's node and the turns of the owner node", async () => {
      const { steps } = await show();
      const nodeOf = (pattern: RegExp) => steps.find(({ summary }) => pattern.test(summary))?.node;
      const socketNode = nodeOf(/^USER_MESSAGE, \d+ B, socket/);
      const owner = nodeOf(/^the node writes the session/);
      expect([typeof socketNode, typeof owner]).toEqual(['string', 'string']);
      expect(socketNode).not.toBe(owner);
      expect(nodeOf(/^message \d+ begins/)).toBe(owner);
    });

    it('session show says why no node was asked without the shared secret, and prints the stored data', async () => {
      const { steps, notes } = await show({ tokenSecrets: [] });
      expect(notes).toEqual([expect.stringContaining('set NATTER_TOKEN_SECRET')]);
      expect(new Set(steps.map(({ node }) => node))).toEqual(new Set([null]));
    });

    it('session show names the data that was lost with its node', async () => {
      await one.close();
      const { steps, notes } = await show();
      const summaries = steps.map(({ summary }) => summary);
      expect(summaries).toContainEqual(expect.stringMatching(/^USER_MESSAGE, \d+ B, socket/));
      expect(summaries).not.toContainEqual(expect.stringMatching(/^message \d+ begins/));
      expect(summaries).toContainEqual(
        expect.stringContaining('turn 2 on record, message: answered, first words'),
      );
      expect(notes).toContainEqual(expect.stringContaining('Data from nodes starts at'));
    });
  },
);
