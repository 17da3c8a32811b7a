import { isOutboundError, type OutboundClient } from '../../kit/http/outbound/index.ts';
import { isNumberBetween, readConfig, SpeechError, type SpeechProvider } from './speech-provider.ts';
import { toSpeech } from './to-speech.ts';

/** An OpenAI-compatible speech endpoint. */
export type HttpProviderSettings = {
  /** For example `https://api.example.com/v1`; `/audio/speech` is appended. */
  readonly url: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** Default voice, which `config` may override. */
  readonly voice: string;
};

const MAX_BYTES = 64 * 1_048_576;

/**
 * Speech from an OpenAI-compatible endpoint. `config` may contain `voice`, `speed` (0.25 to 4) and `instructions`; the
 * operator chooses the model. The endpoint detects the language from the text.
 */
export function createHttpProvider(settings: HttpProviderSettings, client: OutboundClient): SpeechProvider {
  const { url, apiKey, model } = settings;
  const address = `${url.replace(/\/$/, '')}/audio/speech`;
  return {
    async speak({ text, config, signal }) {
      const voice = readConfig(config, 'voice', isText, 'a text of up to 200 characters') ?? settings.voice;
      const speed = readConfig(config, 'speed', isNumberBetween(0.25, 4), 'a number between 0.25 and 4');
      const instructions = readConfig(config, 'instructions', isText, 'a text of up to 200 characters');
      const body = {
        model,
        input: text,
        voice,
        response_format: 'wav',
        ...(speed !== undefined && { speed }),
        ...(instructions !== undefined && { instructions }),
      };
      return toSpeech(await ask(client, { address, apiKey, body, signal }), new URL(address).host);
    },
  };
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 200;

async function ask(
  client: OutboundClient,
  {
    address,
    apiKey,
    body,
    signal,
  }: {
    readonly address: string;
    readonly apiKey: string | null;
    readonly body: object;
    readonly signal: AbortSignal;
  },
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const answer = await client.send({
      url: address,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(apiKey !== null && { Authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      // The caller's signal has the time limit that all providers share.
      limits: { maxBytes: MAX_BYTES },
      signal,
    });
    if (answer.isOk) return await answer.bytes();
    answer.discard();
    throw new SpeechError('failed', `The speech endpoint answered ${answer.status}.`);
  } catch (cause) {
    if (!isOutboundError(cause)) throw cause;
    const text = cause.code === 'too_large' ? 'sent too much data' : 'cannot be reached';
    throw new SpeechError('failed', `The speech endpoint ${text}.`, { cause });
  }
}
