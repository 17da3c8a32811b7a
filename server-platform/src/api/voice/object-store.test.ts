import { describe, expect, it } from 'vitest';
import { type HeardRequest, listen } from '../../../test/api/voice/listen.ts';
import { createTone } from '../../../test/api/voice/tone.ts';
import { CREDENTIALS, verifySignature } from '../../../test/api/voice/verify-signature.ts';
import { type Clock, systemClock } from '../../kit/clock.ts';
import type { AudioStore } from './audio-store.ts';
import { createObjectStore } from './object-store.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const KEEP = { contentType: 'audio/wav', nowMs: NOW, lifetimeSeconds: 3_600, origin: 'unused' };

/** A bucket that checks every signature independently. */
async function startBucket(clock: { nowMs: number }) {
  const objects = new Map<string, HeardRequest>();
  const faults: string[] = [];
  const server = await listen((heard, response) => {
    const fault = verifySignature(heard, clock.nowMs);
    const [path = ''] = (heard.request.url ?? '').split('?');
    if (fault !== null) {
      faults.push(fault);
      response.writeHead(403).end(fault);
    } else if (heard.request.method === 'PUT') {
      objects.set(path, heard);
      response.writeHead(200).end();
    } else if (heard.request.method === 'DELETE') {
      objects.delete(path);
      response.writeHead(204).end();
    } else {
      const found = objects.get(path);
      response.writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'audio/wav' }).end(found?.body);
    }
  });
  const settings = { endpoint: server.url, bucket: 'previews', prefix: 'voice/', ...CREDENTIALS };
  return { server, objects, faults, settings };
}

const keepIn = (store: AudioStore, audio: Uint8Array<ArrayBuffer>): Promise<string> =>
  store.keep(store.createName(KEEP), audio, KEEP);

describe('audio in object storage (section 8)', () => {
  it('stores audio with a signed request, and serves it from a presigned address for an hour (section 8)', async () => {
    const clock = { nowMs: NOW };
    const { server, objects, settings } = await startBucket(clock);
    await using _ = server;
    const audio = createTone(20);
    const url = await keepIn(createObjectStore(settings), audio);
    const [[path = '', stored] = []] = [...objects];
    expect(path).toMatch(/^\/previews\/voice\/[\w-]{32}\.wav$/);
    expect(stored?.request.headers['content-type']).toBe('audio/wav');
    clock.nowMs = NOW + 3_599_000;
    const answer = await fetch(url);
    expect([answer.status, new Uint8Array(await answer.arrayBuffer())]).toEqual([200, audio]);
    clock.nowMs = NOW + 3_600_000;
    expect([(await fetch(url)).status, await (await fetch(url)).text()]).toEqual([403, 'expired']);
    clock.nowMs = NOW;
    const changed = url.replace('X-Amz-Expires=3600', 'X-Amz-Expires=36000');
    expect(await (await fetch(changed)).text()).toBe('wrong signature');
    expect((await fetch(url.replace('.wav?', '.mp3?'))).status).toBe(403);
  });

  it('removes stored audio with a signed request', async () => {
    const { server, objects, settings, faults } = await startBucket({ nowMs: Date.now() });
    await using _ = server;
    const store = createObjectStore(settings);
    const names = [store.createName(KEEP), store.createName(KEEP)];
    for (const name of names) await store.keep(name, createTone(1), { ...KEEP, nowMs: Date.now() });
    expect(await store.remove(names[0] ?? '')).toBe(true);
    expect([...objects.keys()]).toEqual([`/previews/${names[1]}`]);
    expect(faults).toEqual([]);
    const forger = createObjectStore({ ...settings, secretAccessKey: 'another' });
    await expect(forger.remove(names[1] ?? '')).rejects.toThrow('answered 403');
  });

  it('repeats an upload when the storage is busy, but not when it refuses', async () => {
    const statuses = [503, 429, 200, 403];
    await using server = await listen((_, response) => response.writeHead(statuses.shift() ?? 500).end());
    const settings = { endpoint: server.url, bucket: 'previews', prefix: '', ...CREDENTIALS };
    const pausesMs: number[] = [];
    const clock: Clock = {
      now: systemClock.now,
      setTimer(callback, delayMs) {
        // The limit of a request is far longer than a pause.
        if (delayMs >= 10_000) return systemClock.setTimer(callback, delayMs);
        pausesMs.push(delayMs);
        return systemClock.setTimer(callback, 0);
      },
    };
    const store = createObjectStore(settings, clock);
    const audio = createTone(1);
    expect(await keepIn(store, audio)).toContain('X-Amz-Signature=');
    expect(server.requests.map(({ body }) => new Uint8Array(body))).toEqual([audio, audio, audio]);
    await expect(keepIn(store, audio)).rejects.toThrow('answered 403');
    expect(pausesMs).toEqual([100, 400]);
  });

  it('fails when the storage does not accept the audio', async () => {
    const { server, settings, faults } = await startBucket({ nowMs: NOW });
    await using _ = server;
    const store = createObjectStore({ ...settings, secretAccessKey: 'another' });
    await expect(keepIn(store, createTone(1))).rejects.toThrow('answered 403');
    expect(faults).toEqual(['wrong signature']);
  });
});
