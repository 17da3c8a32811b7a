import { describe, expect, it } from 'vitest';
import { listen } from '../../../test/api/voice/listen.ts';
import { createTone } from '../../../test/api/voice/tone.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import { createHttpProvider, type HttpProviderSettings } from './http-provider.ts';
import type { SpeechProvider } from './speech-provider.ts';

const { signal } = new AbortController();
const SAY = { text: 'Hello', language: 'en-GB', config: {}, signal };
const settings = (url: string) => ({
  url: `${url}/v1/`,
  apiKey: 'sk-secret',
  model: 'tts-1',
  voice: 'alloy',
});

const client = createOutboundClient({ allowsPrivateAddresses: true });
const providerOf = (given: HttpProviderSettings): SpeechProvider => createHttpProvider(given, client);

describe('a speech endpoint', () => {
  it("sends OpenAI's request to a speech endpoint, with the caller's settings", async () => {
    await using server = await listen((_, response) => response.end(createTone(30)));
    const provider = providerOf(settings(server.url));
    const config = { voice: 'nova', speed: 1.5, instructions: 'Whisper.', model: 'dear', unknown: 1 };
    const speech = await provider.speak({ ...SAY, config });
    expect(speech).toEqual({
      audio: createTone(30),
      contentType: 'audio/wav',
      engine: new URL(server.url).host,
    });
    const [{ request, body } = { request: null, body: '' }] = server.requests;
    expect([request?.method, request?.url, request?.headers.authorization]).toEqual([
      'POST',
      '/v1/audio/speech',
      'Bearer sk-secret',
    ]);
    expect(JSON.parse(String(body))).toEqual({
      model: 'tts-1',
      input: 'Hello',
      voice: 'nova',
      response_format: 'wav',
      speed: 1.5,
      instructions: 'Whisper.',
    });
  });

  it("speaks with the endpoint's own voice unless another is named", async () => {
    await using server = await listen((_, response) => response.end(createTone(30)));
    await providerOf({ ...settings(server.url), apiKey: null }).speak(SAY);
    expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({ voice: 'alloy' });
    expect(server.requests[0]?.request.headers.authorization).toBeUndefined();
  });

  it.each([
    ['answers with an error', 500, 'overloaded'],
    ['answers with no audio', 200, '{"error":"no credit"}'],
    ['sends the caller elsewhere', 302, ''],
  ])('reports a failed speech endpoint when it %s', async (_, status, text) => {
    await using server = await listen((__, response) =>
      response.writeHead(status, { Location: '/elsewhere' }).end(text),
    );
    const speech = providerOf(settings(server.url)).speak(SAY);
    await expect(speech).rejects.toMatchObject({ name: 'SpeechError', code: 'failed' });
    expect(server.requests).toHaveLength(1);
  });

  it('reports a failed speech endpoint when the server is unreachable', async () => {
    const server = await listen(() => {});
    const { url } = server;
    await server[Symbol.asyncDispose]();
    const speech = providerOf(settings(url)).speak(SAY);
    await expect(speech).rejects.toMatchObject({
      code: 'failed',
      message: 'The speech endpoint cannot be reached.',
    });
  });

  it('reports a failed speech endpoint when it sends more than any audio has', async () => {
    await using server = await listen((_, response) =>
      response.writeHead(200, { 'Content-Length': 64 * 1_048_576 + 1 }).write('RIFF'),
    );
    const speech = providerOf(settings(server.url)).speak(SAY);
    await expect(speech).rejects.toMatchObject({
      code: 'failed',
      message: 'The speech endpoint sent too much data.',
    });
  });

  it.each([{ voice: 3 }, { speed: 9 }, { instructions: '' }])(
    'refuses the configuration %j of a speech endpoint',
    async (config) => {
      const speech = providerOf(settings('http://127.0.0.1:9')).speak({ ...SAY, config });
      await expect(speech).rejects.toMatchObject({ code: 'refused', field: 'config' });
    },
  );

  it('aborts the request to the speech endpoint when the caller disconnects', async () => {
    const controller = new AbortController();
    await using server = await listen(() => controller.abort(new Error('gone')));
    const speech = providerOf(settings(server.url)).speak({ ...SAY, signal: controller.signal });
    await expect(speech).rejects.toThrow('gone');
  });
});
