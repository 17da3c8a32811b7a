import { startMonitoring } from '../api/alerts/index.ts';
import { startChatFamily } from '../api/chat/index.ts';
import { createNumbersFamily } from '../api/numbers/index.ts';
import type { RestFamily } from '../api/rest/index.ts';
import { openAudioOfNode, startVoiceFamily, type VoiceServices } from '../api/voice/index.ts';
import { type ConsoleServices, startConsoleFamily } from '../console-api/index.ts';
import { type OwnDeskServices, startDeskFamily } from '../desk/index.ts';
import {
  createDeskEventsFamily,
  createHandoffStateFamily,
  type DeskServices,
} from '../handoff/providers/index.ts';
import type { LogComponent } from '../kit/logger.ts';
import { runShutdown } from '../kit/shutdown.ts';
import { createExternalEventsFamily } from '../realtime/external-events/index.ts';
import { createConcurrencyFamily } from '../records/concurrency/index.ts';
import { type ConversationsServices, startConversationsFamily } from '../records/conversations/index.ts';
import { startErasureFamily } from '../records/erasure/index.ts';

/** What the families are built from. */
export type FamilyServices = VoiceServices &
  ConversationsServices &
  DeskServices &
  OwnDeskServices &
  Omit<ConsoleServices, 'lists' | 'deliverWebhooks'>;

/** Starts one family. May open resources; rejects with their errors. */
type StartFamily = (services: FamilyServices) => RestFamily | Promise<RestFamily>;

/**
 * The families of the platform but the two that the console needs, and the component that logs what fails in each. Their
 * order does not matter: no two of them have a path in common.
 */
const FAMILIES: readonly (readonly [LogComponent, StartFamily])[] = [
  ['rest', startChatFamily],
  ['rest', createConcurrencyFamily],
  ['rest', createExternalEventsFamily],
  ['rest', createNumbersFamily],
  ['handoff', createHandoffStateFamily],
  ['handoff', createDeskEventsFamily],
  ['handoff', startDeskFamily],
  ['rest', startVoiceAndErasure],
];

/** Two families that share the stored audio: one makes it, the other removes it. */
async function startVoiceAndErasure(services: FamilyServices): Promise<RestFamily> {
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

/**
 * Starts every family; when one cannot start, those that could are ended again. `onFailureOf` reports what fails in a
 * component; default: all of it goes to `onFailure`.
 */
export async function startFamilies(
  services: FamilyServices,
  onFailureOf: (component: LogComponent) => FamilyServices['onFailure'] = () => services.onFailure,
): Promise<readonly RestFamily[]> {
  const started: RestFamily[] = [];
  try {
    const conversations = await startConversationsFamily({ ...services, onFailure: onFailureOf('rest') });
    started.push(conversations);
    const monitoring = await startMonitoring({ ...services, onFailure: onFailureOf('webhooks') });
    started.push(monitoring);
    for (const [component, start] of FAMILIES)
      started.push(await start({ ...services, onFailure: onFailureOf(component) }));
    // It calls all the others.
    started.push(
      startConsoleFamily(
        { ...services, lists: conversations.sources, deliverWebhooks: monitoring.deliver },
        started.flatMap(({ routes }) => routes),
      ),
    );
    return started;
  } catch (error) {
    for (const family of started) await family.close?.();
    throw error;
  }
}

// Background work may take this long to end.
const STOP_MS = 1_000;

/** Stops all families at once, also when one fails or exceeds its time. Never rejects. */
export async function stopFamilies(
  families: readonly RestFamily[],
  onFailure: (what: string, error: unknown) => void,
): Promise<void> {
  const stop = async ({ close }: RestFamily): Promise<void> => await close?.();
  await Promise.all(
    families.map((family) =>
      runShutdown([{ what: 'end background work', timeoutMs: STOP_MS, run: () => stop(family) }], onFailure),
    ),
  );
}
