import { type GenerateAudioBody, generateAudioBodySchema, generateAudioOperation } from '@natter/sdk';
import type { Project } from '../../accounts/index.ts';
import type { Scheduled } from '../../jobs/index.ts';
import { createFairShares } from '../../kit/http/index.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import type { RestFamily, RestServices, RestSettings } from '../rest/index.ts';
import { projectRoute, RestError, validationError } from '../rest/index.ts';
import { createAudioPage } from './audio-page.ts';
import { createFliteProvider } from './flite/flite-provider.ts';
import { createHttpProvider } from './http-provider.ts';
import { isSpeechError, type Speech, SpeechError, type SpeechProvider } from './speech-provider.ts';
import { openStoredAudio, type StoredAudio } from './stored-audio.ts';
import { BUILT_IN_PROVIDER, type VoiceSettings } from './voice-settings.ts';

// Source: section 8.
const STORED_SECONDS = 3_600;
const SHORT_SECONDS = 600;
const TIMEOUT_MS = 30_000;
// Per account. There are fewer engines than accounts, and a provider may hang for half a minute.
const SHARE = { atOnce: 1, maxWaiting: 8 } as const;
const SWEEP_MS = 600_000;
// An erasure by the command line on another machine leaves its files to the nodes.
const ERASED_SWEEP_MS = 5_000;

/** Dependencies of voice preview. */
export interface VoiceServices extends RestServices {
  readonly settings: RestSettings & { readonly voice: VoiceSettings };
}

/** Opens the audio storage of the deployment's nodes. */
export async function openAudioOfNode({
  database,
  settings,
  dataDir,
  deriveKey,
}: Pick<VoiceServices, 'database' | 'settings' | 'dataDir' | 'deriveKey'>): Promise<StoredAudio> {
  const { objectStore } = settings.voice;
  return await openStoredAudio({ database, dataDir, objectStore, key: deriveKey('audioAddresses') });
}

/** Who a preview is for. */
export interface PreviewCall {
  readonly project: Project;
  /** Start of the address of the audio, unless the deployment sets another one. */
  readonly origin: string;
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

/** Speaks a text, stores the audio, and resolves with its address. Refuses with a `RestError`. */
export type SpeakPreview = (call: PreviewCall, body: GenerateAudioBody) => Promise<string>;

/** Route group of voice preview. */
export interface VoiceFamily extends RestFamily {
  readonly speakPreview: SpeakPreview;
}

/** Voice preview: `POST /v1/agents/{agentId}/generate-audio`, and access to its audio. Source: section 8. */
export async function startVoiceFamily(services: VoiceServices, shared?: StoredAudio): Promise<VoiceFamily> {
  const { clock, settings, note } = services;
  const providers = createProviders(settings.voice);
  const stored = shared ?? (await openAudioOfNode(services));
  const sweeps = sweepRegularly(services, stored);
  const runInShare = createFairShares({
    ...SHARE,
    createRefusal: () =>
      toRestError(new SpeechError('busy', 'Too many previews of the account wait already.')),
  });
  const speakPreview: SpeakPreview = async ({ project, origin, correlationId, signal }, body) => {
    const name = body.provider ?? settings.voice.provider;
    const startedAtMs = clock.now();
    const { audio, contentType, engine } = await runInShare(project.accountId, () =>
      speak(providers, name, body, signal),
    );
    const isStored = body.storeOnObjectStorage === true;
    const keeping = stored.keep(audio, {
      projectId: project.id,
      isStored,
      contentType,
      nowMs: clock.now(),
      lifetimeSeconds: isStored ? STORED_SECONDS : SHORT_SECONDS,
      origin: settings.publicUrl ?? origin,
    });
    const url = await keeping.catch((error: unknown) => {
      throw isSpeechError(error) ? toRestError(error) : error;
    });
    note('spoke a preview', {
      provider: name,
      engine,
      bytes: audio.length,
      durationMs: clock.now() - startedAtMs,
      correlationId,
    });
    return url;
  };
  const route = projectRoute(
    {
      operation: generateAudioOperation,
      permissions: ['monitoring'],
      projectFrom: 'agent',
      body: generateAudioBodySchema,
    },
    async ({ request: { url, signal }, project, body, correlationId }) => ({
      url: await speakPreview({ project, origin: new URL(url).origin, correlationId, signal }, body),
      text: body.text,
    }),
  );
  return {
    routes: [route],
    speakPreview,
    pages: { '/audio': createAudioPage(stored.disk, clock) },
    async close() {
      await Promise.all(sweeps.map((sweep) => sweep.stop()));
      await stored.close();
    },
  };
}

function createProviders({ endpoints }: VoiceSettings): ReadonlyMap<string, SpeechProvider> {
  const providers = new Map<string, SpeechProvider>([[BUILT_IN_PROVIDER, createFliteProvider()]]);
  const client = createOutboundClient({ allowsPrivateAddresses: true });
  for (const [name, endpoint] of Object.entries(endpoints))
    providers.set(name, createHttpProvider(endpoint, client));
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
  const signal = AbortSignal.any([caller, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    return await provider.speak({ text, language, config, signal });
  } catch (cause) {
    throw caller.aborted ? caller.reason : toRestError(cause);
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

/** Removes expired files and those marked by an erasure. The first run is immediate. */
function sweepRegularly(
  { clock, scheduler, onFailure }: RestServices,
  stored: StoredAudio,
): readonly Scheduled[] {
  const what = 'remove old audio';
  const report = (error: unknown): void => onFailure(what, error);
  return [
    scheduler.every({
      what,
      everyMs: SWEEP_MS,
      firstMs: 0,
      run: () => stored.sweep(clock.now(), report),
    }),
    scheduler.every({
      what: 'remove erased audio',
      everyMs: ERASED_SWEEP_MS,
      firstMs: 0,
      run: () => stored.removeErased(report),
    }),
  ];
}
