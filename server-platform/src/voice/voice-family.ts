import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GenerateAudioBody, generateAudioBodySchema, generateAudioOperation } from '@natter/sdk';
import { RestError, validationError } from '../rest/rest-error.ts';
import { projectRoute } from '../rest/rest-route.ts';
import type { RestFamily, RestServices } from '../rest/rest-services.ts';
import { createAudioPage } from './audio-page.ts';
import { type DiskStore, openDiskStore } from './disk-store.ts';
import { createEmbeddedProvider } from './embedded-provider.ts';
import { createEspeakProvider } from './espeak-provider.ts';
import { createFliteProvider } from './flite/flite-provider.ts';
import { createHttpProvider } from './http-provider.ts';
import { createObjectStore } from './object-store.ts';
import { isSpeechError, type Speech, SpeechError, type SpeechProvider } from './speech-provider.ts';
import type { VoiceSettings } from './voice-settings.ts';

// Source: section 8.
const STORED_SECONDS = 3_600;
const SHORT_SECONDS = 600;
const PATIENCE_MS = 30_000;
const SWEEP_MS = 600_000;

/** Voice preview: `POST /v1/agents/{agentId}/generate-audio`, and the audio it leads to. Source: section 8. */
export async function startVoiceFamily(services: RestServices): Promise<RestFamily> {
  const { clock, settings, note } = services;
  const providers = await createProviders(settings.voice);
  const { folder, remove } = await chooseFolder(services.dataDir);
  const disk = await openDiskStore(folder, services.deriveKey('audio addresses'));
  const objects = settings.voice.objectStore === null ? disk : createObjectStore(settings.voice.objectStore);
  const stopSweeping = sweepRegularly(services, disk);
  const route = projectRoute(
    {
      operation: generateAudioOperation,
      permissions: ['monitoring'],
      projectFrom: 'agent',
      body: generateAudioBodySchema,
    },
    async ({ request, body, correlationId }) => {
      const name = body.provider ?? settings.voice.provider;
      const startedAtMs = clock.now();
      const { audio, contentType, engine } = await speak(providers, name, body, request.signal);
      const isStored = body.storeOnObjectStorage === true;
      const url = await (isStored ? objects : disk).keep(audio, {
        contentType,
        nowMs: clock.now(),
        lifetimeSeconds: isStored ? STORED_SECONDS : SHORT_SECONDS,
        origin: settings.voice.publicUrl ?? new URL(request.url).origin,
      });
      note('spoke a preview', {
        provider: name,
        engine,
        bytes: audio.length,
        durationMs: clock.now() - startedAtMs,
        correlationId,
      });
      return { url, text: body.text };
    },
  );
  return {
    routes: [route],
    pages: { '/audio': createAudioPage(disk, clock) },
    async close() {
      stopSweeping();
      await remove();
    },
  };
}

async function createProviders({ endpoints }: VoiceSettings): Promise<ReadonlyMap<string, SpeechProvider>> {
  const flite = createFliteProvider();
  const espeak = await createEspeakProvider();
  const providers = new Map<string, SpeechProvider>();
  providers.set('embedded', createEmbeddedProvider([flite, espeak].filter((each) => each !== null)));
  if (flite !== null) providers.set('flite', flite);
  if (espeak !== null) providers.set('espeak-ng', espeak);
  for (const [name, endpoint] of Object.entries(endpoints)) providers.set(name, createHttpProvider(endpoint));
  return providers;
}

async function speak(
  providers: ReadonlyMap<string, SpeechProvider>,
  name: string,
  { text, language, config }: GenerateAudioBody,
  caller: AbortSignal,
): Promise<Speech> {
  const provider = providers.get(name);
  if (provider === undefined) {
    const message = `must be one of: ${[...providers.keys()].join(', ')}`;
    throw validationError([{ field: 'provider', message }]);
  }
  const signal = AbortSignal.any([caller, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    return await provider.speak({ text, language, config, signal });
  } catch (cause) {
    throw toRestError(cause);
  }
}

function toRestError(cause: unknown): RestError {
  const error = isSpeechError(cause) ? cause : new SpeechError('failed', 'It took too long.', { cause });
  if (error.code === 'refused') return validationError([{ field: error.field, message: error.message }]);
  if (error.code === 'busy') {
    const headers = { 'Retry-After': '1' };
    return new RestError(429, 'RATE_LIMITED', 'Rate limit exceeded', { headers, cause });
  }
  return new RestError(502, 'SPEECH_PROVIDER_FAILED', 'Speech provider failed', { cause });
}

/** The data folder's own, or for a database that keeps nothing one that goes with the process. */
async function chooseFolder(
  dataDir: string,
): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  if (dataDir !== 'memory') return { folder: join(dataDir, 'audio'), remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'natter-audio-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

function sweepRegularly({ clock, onFailure }: RestServices, disk: DiskStore): () => void {
  let cancel: () => void = () => {};
  const sweep = (): void => {
    disk.sweep(clock.now()).catch((error: unknown) => onFailure('remove old audio', error));
    cancel = clock.setTimer(sweep, SWEEP_MS);
  };
  sweep();
  return () => cancel();
}
