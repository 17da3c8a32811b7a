import { startMonitoring } from '../api/alerts/index.ts';
import { startChatFamily } from '../api/chat/index.ts';
import { createNumbersFamily } from '../api/numbers/index.ts';
import type { RestFamily } from '../api/rest/index.ts';
import { openAudioOfNode, startVoiceFamily, type VoiceServices } from '../api/voice/index.ts';
import { type ConsoleServices, type SharedServices, startConsoleFamily } from '../console-api/index.ts';
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

/** Dependencies of the route groups. */
export type FamilyServices = VoiceServices &
  ConversationsServices &
  DeskServices &
  OwnDeskServices &
  Omit<ConsoleServices, keyof SharedServices>;

/** Starts one route group. May open resources; rejects with their errors. */
type StartFamily = (services: FamilyServices) => RestFamily | Promise<RestFamily>;

/**
 * The route groups that share no service with the console, with the component that logs each group's failures. Their
 * order does not matter, because no two of them share a path.
 */
const FAMILIES: readonly (readonly [LogComponent, StartFamily])[] = [
  ['rest', startChatFamily],
  ['rest', createConcurrencyFamily],
  ['rest', createExternalEventsFamily],
  ['rest', createNumbersFamily],
  ['handoff', createHandoffStateFamily],
  ['handoff', createDeskEventsFamily],
  ['handoff', startDeskFamily],
];

/** Starts two route groups that share stored audio: one creates it, the other removes it. */
async function startVoiceAndErasure(
  services: FamilyServices,
): Promise<RestFamily & Pick<SharedServices, 'speakPreview' | 'eraseOnRequest'>> {
  const audio = await openAudioOfNode(services);
  const voice = await startVoiceFamily(services, audio);
  const erasure = startErasureFamily(services, audio);
  return {
    routes: [...voice.routes, ...erasure.routes],
    pages: voice.pages ?? {},
    speakPreview: voice.speakPreview,
    eraseOnRequest: erasure.eraseOnRequest,
    async close() {
      await erasure.close?.();
      await voice.close?.();
    },
  };
}

/**
 * Starts every route group; if one cannot start, the started ones are stopped again. `onFailureOf` reports a
 * component's failures; default: all go to `onFailure`.
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
    const audio = await startVoiceAndErasure({ ...services, onFailure: onFailureOf('rest') });
    started.push(audio);
    for (const [component, start] of FAMILIES)
      started.push(await start({ ...services, onFailure: onFailureOf(component) }));
    started.push(
      startConsoleFamily({
        ...services,
        lists: conversations.sources,
        alerts: monitoring.alerts,
        webhooks: monitoring.webhooks,
        deliverWebhooks: monitoring.deliver,
        speakPreview: audio.speakPreview,
        eraseOnRequest: audio.eraseOnRequest,
      }),
    );
    return started;
  } catch (error) {
    for (const family of started) await family.close?.();
    throw error;
  }
}

// Time for background work to end.
const STOP_MS = 1_000;

/** Stops all route groups at once, even if one fails or exceeds its time. Never rejects. */
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
