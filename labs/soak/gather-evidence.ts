import type { Evidence, SentMessage } from './invariants.ts';
import type { Lane } from './lane.ts';
import type { SoakTab } from './tabs/soak-tab.ts';

/** Where the output of the servers stood when something began. */
export interface OutputMark {
  readonly platform: number;
  readonly proxy: number;
}

/** Remembers where the output of a lane's servers stands. */
export function markOutput({ platform, proxyLog }: Lane): OutputMark {
  return { platform: platform.output.length, proxy: proxyLog.length };
}

/** Collects the current input of the checks: tabs, the platform's log, and the servers' output since the mark. */
export async function gatherEvidence(
  { platform, proxyLog }: Lane,
  openTabs: readonly SoakTab[],
  sent: readonly SentMessage[],
  mark: OutputMark,
): Promise<Evidence> {
  const tabs = await Promise.all(
    openTabs.map(async (tab) => ({ view: await tab.view(), trace: await tab.trace() })),
  );
  const sessionIds = [...new Set(tabs.flatMap(({ trace }) => trace.sessionIds))];
  const logs = await platform.readLogs(sessionIds);
  return {
    sent,
    tabs,
    logs,
    output: [...platform.output.slice(mark.platform), ...proxyLog.slice(mark.proxy)],
  };
}
