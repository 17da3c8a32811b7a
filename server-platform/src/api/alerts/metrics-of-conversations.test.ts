import type { AlertMetric } from '@natter/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import { AgentError } from '../../agents/index.ts';
import { readMetric } from './read-metric.ts';

describe('a real conversation', () => {
  let platform: TestPlatform;
  afterEach(() => platform.stop());

  const read = (metric: AlertMetric): Promise<number | null> => {
    const toMs = platform.clock.now();
    const scope = { accountId: 'ACCOUNT-1', projectId: null, fromMs: toMs - 300_000, toMs };
    return readMetric(platform.database, metric, scope);
  };

  it('measures latencies, errors and number of real conversations (AL-6)', async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
    platform.agent.script = async function* (turn) {
      if (turn.text === 'be slow') platform.clock.skip(9000);
      if (turn.text === 'use a tool') yield { type: 'function_error', name: 'search_knowledge' };
      if (turn.text === 'lose the model') throw new AgentError('unavailable', 'away', { retryable: true });
      if (turn.text === 'trip') throw new TypeError('a fault in the logic');
      yield { type: 'text', text: 'Well.' };
    };
    const { socket } = await platform.converse();
    for (const text of ['be slow', 'use a tool']) {
      socket.send('USER_MESSAGE', { text });
      await socket.next('USER_MESSAGE');
      await socket.next(isEndOfMessage);
    }
    expect(await read('turn_latency_p95')).toBeGreaterThanOrEqual(9000);
    expect(await read('turn_latency_p50')).toBeLessThan(9000);
    expect([await read('api_errors'), await read('function_errors'), await read('call_crashes')]).toEqual([
      0, 1, 0,
    ]);
    for (const text of ['lose the model', 'trip']) {
      socket.send('USER_MESSAGE', { text });
      await socket.next('SYSTEM_MESSAGE');
    }
    expect([await read('api_errors'), await read('function_errors'), await read('call_crashes')]).toEqual([
      1, 2, 1,
    ]);
    expect(await read('call_volume')).toBe(1);
  });
});
