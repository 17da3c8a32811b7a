import { isDatabaseError } from '../../server-platform/src/db/index.ts';
import { createEventLog } from '../../server-platform/src/realtime/event-log/index.ts';
import { checkInvariants } from '../soak/invariants.ts';
import type { SessionLog } from '../soak/platform/platform-messages.ts';
import { readSessionLog } from '../soak/platform/read-session-log.ts';
import type { Cluster } from './cluster.ts';
import { answerTo } from './model-server.ts';
import { pause, type Visitors } from './visitors.ts';

/** Every question is answered once: with a whole answer, or with the part of one and the notice that it failed. */
function findAnswerFaults({ sessionId, events }: SessionLog): readonly string[] {
  const texts = new Map<string, string>();
  for (const { type, payload } of events) {
    if (!type.startsWith('EVENT_TYPE_AGENT_MESSAGE')) continue;
    const key = String(payload['message_id']);
    texts.set(key, (texts.get(key) ?? '') + String(payload['text'] ?? ''));
  }
  const answers = [...texts.values()];
  const questions = events.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE');
  const failures = events.filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE').length;
  const faults = questions.flatMap(({ payload }) => {
    const question = String(payload['text']);
    const whole = answers.filter((text) => text === answerTo(question)).length;
    return whole > 1 ? [`"${question}" of ${sessionId} has ${whole} answers`] : [];
  });
  const unanswered = questions.filter(({ payload }) => !answers.includes(answerTo(String(payload['text']))));
  return unanswered.length > failures
    ? [...faults, `${unanswered.length} questions of ${sessionId} have no answer, and ${failures} a notice`]
    : faults;
}

/** The faults, as texts; empty when nothing is lost, nothing is there twice, and all is in order. */
async function checkCluster(cluster: Cluster, visitors: Visitors): Promise<readonly string[]> {
  const tabs = await Promise.all(
    visitors.tabs.map(async (tab) => ({ view: await tab.view(), trace: await tab.trace() })),
  );
  const sessionIds = [...new Set(tabs.flatMap(({ trace }) => trace.sessionIds))];
  const log = createEventLog(cluster.database);
  const logs: SessionLog[] = [];
  for (const id of sessionIds) logs.push(await readSessionLog(cluster.database, log, id));
  const broken = checkInvariants({ sent: visitors.sent, tabs, logs, output: cluster.output });
  const failed = tabs.flatMap(({ view }, tab) =>
    view.items
      .filter(({ status }) => status === 'failed')
      .map(({ text }) => `"${text}" of tab ${tab} has failed`),
  );
  return [
    ...broken.map(({ invariant, detail }) => `${invariant}: ${detail}`),
    ...logs.flatMap(findAnswerFaults),
    ...failed,
  ];
}

/** The faults, including an unresponsive database. */
async function lookAt(cluster: Cluster, visitors: Visitors): Promise<readonly string[]> {
  try {
    return await checkCluster(cluster, visitors);
  } catch (error) {
    if (isDatabaseError(error)) return [error.message];
    throw error;
  }
}

/** Waits until all is well. Fails with the remaining faults after `patienceMs`. */
export async function settle(cluster: Cluster, visitors: Visitors, patienceMs = 120_000): Promise<void> {
  const givenUpAt = performance.now() + patienceMs;
  for (;;) {
    const faults = await lookAt(cluster, visitors);
    if (faults.length === 0) return;
    if (performance.now() > givenUpAt)
      throw new Error(`${faults.length} things are wrong:\n${faults.slice(0, 12).join('\n')}`);
    await pause(1_000);
  }
}
