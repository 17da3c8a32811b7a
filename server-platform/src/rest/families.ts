import { startMonitoring } from '../alerts/index.ts';
import { startChatFamily } from '../chat/chat-family.ts';
import { createConcurrencyFamily } from '../concurrency/concurrency-family.ts';
import { startConversationsFamily } from '../conversations/conversations-family.ts';
import { startErasureFamily } from '../erasure/erasure-family.ts';
import { createExternalEventsFamily } from '../external-events/external-events-family.ts';
import { createDeskEventsFamily } from '../handoff/desk-events-family.ts';
import { createHandoffStateFamily } from '../handoff/handoff-state-family.ts';
import { createNumbersFamily } from '../numbers/numbers-family.ts';
import { openAudioOfNode, startVoiceFamily } from '../voice/voice-family.ts';
import type { RestFamily, RestServices } from './rest-services.ts';

/** Starts one family. May open what it needs; fails with whatever that fails with. */
type StartFamily = (services: RestServices) => RestFamily | Promise<RestFamily>;

/** The families of the platform. Their order does not matter: no two of them have a path in common. */
const FAMILIES: readonly StartFamily[] = [
  startChatFamily,
  startConversationsFamily,
  createConcurrencyFamily,
  createExternalEventsFamily,
  createNumbersFamily,
  startMonitoring,
  createHandoffStateFamily,
  createDeskEventsFamily,
  startVoiceAndErasure,
];

/** Two families that share the stored audio: one makes it, the other removes it. */
async function startVoiceAndErasure(services: RestServices): Promise<RestFamily> {
  const audio = await openAudioOfNode(services);
  const voice = await startVoiceFamily(services, audio);
  const erasure = startErasureFamily(services, audio);
  return {
    routes: [...voice.routes, ...erasure.routes],
    pages: voice.pages ?? {},
    async close() {
      await erasure.close?.();
      await voice.close?.();
    },
  };
}

/** Starts every family; when one cannot start, those that could are ended again. */
export async function startFamilies(services: RestServices): Promise<readonly RestFamily[]> {
  const started: RestFamily[] = [];
  try {
    for (const start of FAMILIES) started.push(await start(services));
    return started;
  } catch (error) {
    for (const family of started) await family.close?.();
    throw error;
  }
}
