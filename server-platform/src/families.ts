import { startMonitoring } from './alerts/index.ts';
import { startChatFamily } from './chat/index.ts';
import { createConcurrencyFamily } from './concurrency/index.ts';
import { type ConsoleServices, startConsoleFamily } from './console/index.ts';
import { type ConversationsServices, startConversationsFamily } from './conversations/index.ts';
import { type OwnDeskServices, startDeskFamily } from './desk/index.ts';
import { startErasureFamily } from './erasure/index.ts';
import { createExternalEventsFamily } from './event-intake/index.ts';
import { createDeskEventsFamily, createHandoffStateFamily, type DeskServices } from './handoff/index.ts';
import type { LogComponent } from './logger.ts';
import { createNumbersFamily } from './numbers/index.ts';
import type { RestFamily } from './rest/index.ts';
import { runShutdown } from './shutdown.ts';
import { openAudioOfNode, startVoiceFamily, type VoiceServices } from './voice/index.ts';

/** What the families are built from. */
export type FamilyServices = VoiceServices &
  ConversationsServices &
  DeskServices &
  OwnDeskServices &
  ConsoleServices;

/** Starts one family. May open resources; rejects with their errors. */
type StartFamily = (services: FamilyServices) => RestFamily | Promise<RestFamily>;

/**
 * The families of the platform, and the component that logs what fails in each. Their order does not matter: no two of them
 * have a path in common.
 */
const FAMILIES: readonly (readonly [LogComponent, StartFamily])[] = [
  ['rest', startChatFamily],
  ['rest', startConversationsFamily],
  ['rest', createConcurrencyFamily],
  ['rest', createExternalEventsFamily],
  ['rest', createNumbersFamily],
  ['webhooks', startMonitoring],
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
    for (const [component, start] of FAMILIES)
      started.push(await start({ ...services, onFailure: onFailureOf(component) }));
    // It calls all the others.
    started.push(
      startConsoleFamily(
        services,
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
