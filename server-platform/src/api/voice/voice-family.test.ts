import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatedAudioSchema } from '@natter/sdk';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { listen } from '../../../test/api/voice/listen.ts';
import { createTone } from '../../../test/api/voice/tone.ts';
import { CREDENTIALS, verifySignature } from '../../../test/api/voice/verify-signature.ts';
import { addAccount, addProject } from '../../accounts/index.ts';
import { readWav } from './to-speech.ts';
import { startVoiceFamily } from './voice-family.ts';

const SAY = { text: 'The ferry leaves at nine.', language: 'en-GB', config: {} };

describe('POST /v1/agents/{agentId}/generate-audio (section 8)', () => {
  let rest: RestFixture;
  let folder: string;
  let endpoint: Awaited<ReturnType<typeof listen>>;
  let bucket: Awaited<ReturnType<typeof listen>>;
  const faults: (string | null)[] = [];
  /** Completes previews that hang. */
  const held: (() => void)[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-voice-'));
    endpoint = await listen(({ body }, response) => {
      const isFailing = String(body).includes('fail');
      if (String(body).includes('hang')) {
        held.push(() => response.end(createTone(50)));
        return;
      }
      response.writeHead(isFailing ? 503 : 200).end(createTone(50));
    });
    bucket = await listen((heard, response) => {
      faults.push(verifySignature(heard, rest.clock.now()));
      response.end(createTone(50));
    });
    rest = await startRestFixture({
      dataDir: folder,
      settings: {
        voice: {
          provider: 'embedded',
          endpoints: { tones: { url: endpoint.url, apiKey: null, model: 'm', voice: 'v' } },
          objectStore: { endpoint: bucket.url, bucket: 'previews', prefix: '', ...CREDENTIALS },
        },
        publicUrl: 'https://voice.example.com',
      },
      families: async (services) => [await startVoiceFamily(services)],
    });
  });
  afterAll(async () => {
    await rest.stop();
    await endpoint[Symbol.asyncDispose]();
    await bucket[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const generate = (body: object, agent = 'shop') =>
    rest.call(`POST /v1/agents/${agent}/generate-audio`, { key: rest.keys.monitoring, body });
  const play = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    rest.fetch(`GET ${url.replace('https://voice.example.com', '')}`, { headers });

  it('returns the text of a preview, and the address of its audio, which is valid for ten minutes', async () => {
    const { status, body } = await generate(SAY);
    expect(status).toBe(200);
    const { url, text } = v.parse(generatedAudioSchema, body);
    expect(text).toBe(SAY.text);
    const answer = await play(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    const wav = readWav(new Uint8Array(await answer.arrayBuffer()));
    expect(wav?.info.durationMs).toBeGreaterThan(500);
    expect(rest.notes.at(-1)).toMatchObject({
      what: 'spoke a preview',
      provider: 'embedded',
      engine: 'flite',
    });
    expect(JSON.stringify(rest.notes)).not.toContain('ferry');
    rest.clock.skip(599_000);
    expect((await play(url)).status).toBe(200);
    rest.clock.skip(2_000);
    const late = await play(url);
    expect([late.status, late.headers.get('content-type')]).toEqual([403, 'application/json; charset=utf-8']);
    // The next sweep is due ten minutes after the last one has ended, which may be later than this line.
    const sweep = (): Promise<string[]> => {
      rest.clock.skip(600_000);
      return readdir(join(folder, 'audio'));
    };
    await expect.poll(sweep).toEqual([]);
  });

  it.each(['storeOnObjectStorage', 'storeOnS3'])(
    'keeps a preview in object storage for an hour with %s',
    async (flag) => {
      const { body } = await generate({ ...SAY, provider: 'tones', [flag]: true });
      const url = new URL(String(body['url']));
      expect(url.origin).toBe(bucket.url);
      expect(url.searchParams.get('X-Amz-Expires')).toBe('3600');
      expect((await fetch(url)).status).toBe(200);
      expect(faults).toEqual(faults.map(() => null));
      const short = await generate({ ...SAY, provider: 'tones', [flag]: false });
      expect(String(short.body['url'])).toMatch(/^https:\/\/voice\.example\.com\/audio\//);
    },
  );

  it('plays a part of a preview on a range request', async () => {
    const { body } = await generate({ ...SAY, provider: 'tones' });
    const url = String(body['url']);
    const part = await play(url, { range: 'bytes=0-1' });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 0-1/${createTone(50).length}`,
    ]);
    expect(await part.text()).toBe('RI');
    const tail = await play(url, { range: 'bytes=-4' });
    expect((await tail.arrayBuffer()).byteLength).toBe(4);
    expect((await play(url, { range: 'bytes=999999-' })).status).toBe(200);
    expect((await play(url.replace(/.$/, '_'))).status).toBe(403);
  });

  it('names the request in every answer about an audio file, and refuses other methods with 405', async () => {
    const { body } = await generate({ ...SAY, provider: 'tones' });
    const url = String(body['url']).replace('https://voice.example.com', '');
    const headers = { 'x-correlation-id': 'preview-7' };
    for (const path of [url, url.replace(/.$/, '_')]) {
      const answer = await rest.fetch(`GET ${path}`, { headers });
      expect(answer.headers.get('x-correlation-id')).toBe('preview-7');
    }
    const refused = await rest.fetch(`POST ${url}`, { headers });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(refused.headers.get('x-correlation-id')).toBe('preview-7');
    expect(await refused.json()).toMatchObject({ error_code: 'METHOD_NOT_ALLOWED', error_id: 'preview-7' });
  });

  it.each([
    ['no text', { text: '' }, 'text'],
    ['a text of 1001 characters', { text: 'x'.repeat(1_001) }, 'text'],
    ['no language tag', { language: 'english please' }, 'language'],
    ['no config', { config: undefined }, 'config'],
    ['an unknown provider', { provider: 'eleven_labs' }, 'provider'],
    ['a language nobody here speaks', { language: 'tlh', provider: 'embedded' }, 'language'],
    ['a voice that there is not', { config: { voice: 'nova' } }, 'config'],
    ['both names of the flag at odds', { storeOnS3: true, storeOnObjectStorage: false }, 'storeOnS3'],
    ['a field that is not known', { speed: 2 }, 'speed'],
  ])('refuses a preview with %s with 400 and names the field', async (_, fields, field) => {
    const { status, body } = await generate({ ...SAY, ...fields });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      message: 'Validation failed',
      error_code: 'SCHEMA_VALIDATION_FAILED',
      errors: [{ field, message: expect.any(String) }],
    });
  });

  it('answers 429 while a thousand previews of the project are kept, and speaks again when they expire', async () => {
    await rest.database.query(
      `INSERT INTO stored_audio (name, project_id, place, created_at)
       SELECT 'of-a-thousand-' || n, $1, 'disk', $2::bigint FROM generate_series(1, 1000) n`,
      [rest.project.id, rest.clock.now()],
    );
    const refused = await generate(SAY);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
    await rest.database.query(`DELETE FROM stored_audio WHERE name LIKE 'of-a-thousand-%'`);
    expect((await generate(SAY)).status).toBe(200);
  });

  it('makes only an account with a hanging preview wait for it', async () => {
    const other = await addAccount(rest.database, { slug: 'other' }, rest.clock.now());
    await addProject(rest.database, other, { slug: 'web' }, rest.clock.now());
    const key = await rest.addKey({ account: other, permissions: ['monitoring'] });
    const heard = endpoint.requests.length;
    const hanging = generate({ ...SAY, text: 'hang', provider: 'tones' });
    await expect.poll(() => endpoint.requests.length).toBe(heard + 1);
    const waits = Array.from({ length: 8 }, () => generate({ ...SAY, provider: 'tones' }));
    const body = { ...SAY, provider: 'tones' };
    const theirs = await rest.call('POST /v1/agents/web/generate-audio', { key, body });
    expect(theirs.status).toBe(200);
    expect(endpoint.requests).toHaveLength(heard + 2);
    const refused = await generate(body);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    for (const release of held.splice(0)) release();
    expect((await hanging).status).toBe(200);
    expect((await Promise.all(waits)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it('does not count a preview whose caller disconnects as a failure', async () => {
    const heard = endpoint.requests.length;
    const caller = new AbortController();
    const body = { ...SAY, text: 'hang', provider: 'tones' };
    const key = rest.keys.monitoring;
    const left = rest.fetch('POST /v1/agents/shop/generate-audio', { key, body, signal: caller.signal });
    await expect.poll(() => endpoint.requests.length).toBe(heard + 1);
    caller.abort();
    await left;
    expect(rest.failures).toEqual([]);
    for (const release of held.splice(0)) release();
  });

  it('accepts a preview text of 1000 characters', async () => {
    expect((await generate({ ...SAY, text: '𝒳'.repeat(1_000), provider: 'tones' })).status).toBe(200);
  });

  it('answers 502 when the speech provider fails, and reports the reason to the operator', async () => {
    const { status, body } = await generate({ ...SAY, text: 'fail', provider: 'tones' });
    expect(status).toBe(502);
    expect(body).toMatchObject({
      error_code: 'SPEECH_PROVIDER_FAILED',
      message: 'Speech provider failed',
      errors: [],
    });
    expect(rest.failures.at(-1)).toContain('answered 503');
  });

  it('refuses unknown keys with 401, keys without the permission with 403, unknown agents with 404', async () => {
    const path = 'POST /v1/agents/shop/generate-audio';
    expect((await rest.call(path, { key: 'nak_unknown', body: SAY })).status).toBe(401);
    const { project } = rest;
    const elsewhere = await rest.addKey({ permissions: ['monitoring'], project });
    expect(
      (await rest.call('POST /v1/agents/other/generate-audio', { key: elsewhere, body: SAY })).status,
    ).toBe(403);
    expect((await generate(SAY, 'other')).status).toBe(404);
  });
});

describe('voice preview without object storage', () => {
  it("keeps previews on disk for an hour without object storage, at the request's own address", async () => {
    const rest = await startRestFixture({ families: async (services) => [await startVoiceFamily(services)] });
    const { body } = await rest.call('POST /v1/agents/shop/generate-audio', {
      key: rest.keys.monitoring,
      body: { ...SAY, storeOnObjectStorage: true },
    });
    const url = new URL(String(body['url']));
    expect(url.origin).toBe('http://platform.test');
    rest.clock.skip(3_599_000);
    expect((await rest.fetch(`GET ${url.pathname}${url.search}`)).status).toBe(200);
    rest.clock.skip(2_000);
    expect((await rest.fetch(`GET ${url.pathname}${url.search}`)).status).toBe(403);
    await rest.stop();
  });
});
