import { SYSTEM_TEXTS } from 'natter/protocol';
import { recordInterruptedTurn, systemError } from '../conversation/index.ts';
import { settleWait } from '../external-events/index.ts';
import type { LoadedSession } from './load-session.ts';
import type { Session } from './session.ts';

/** Ends the answers that a crash interrupted with the contract's text, so that the conversation continues (STR-3). */
export async function endInterruptedTurns(
  { context, appender, row }: Session,
  loaded: LoadedSession,
): Promise<void> {
  const { conversationId } = row;
  const finishedAtMs = context.clock.now();
  for (const interrupted of loaded.interrupted) {
    const turns = [recordInterruptedTurn(interrupted, finishedAtMs)];
    const record = conversationId === null ? undefined : { id: conversationId, turns };
    await appender.append([systemError(SYSTEM_TEXTS.streamBroken)], { endTurn: interrupted.input, record });
  }
  if (loaded.hasOrphanStream) await appender.append([systemError(SYSTEM_TEXTS.streamBroken)]);
  for (const wait of loaded.interruptedWaits)
    await appender.append([], { also: (sql) => settleWait(sql, wait, finishedAtMs) });
}
