import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IncomingFile } from '@natter/token-proxy';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileStore, type FileStore } from './file-store.ts';

let folder: string;
let store: FileStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'natter-files-'));
  store = createFileStore(folder, () => 'https://files.example');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const incoming = (name: string, body: ReadableStream<Uint8Array>): IncomingFile => ({
  name,
  type: 'application/pdf',
  body,
  sessionId: 's',
  connector: 'default',
  origin: null,
  signal: new AbortController().signal,
});
const streamOf = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream();
const partsOf = (url: string | null): readonly [string, string] => {
  const [id = '', name = ''] = new URL(url ?? '').pathname.split('/').slice(1);
  return [id, decodeURIComponent(name)];
};

it('keeps a file under an address that cannot be guessed, for download only', async () => {
  const [id, name] = partsOf(await store.onUpload(incoming('Fähre 3.pdf', streamOf('%PDF-1'))));
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  const response = await store.read(id, name);
  expect(await response.text()).toBe('%PDF-1');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''F%C3%A4hre%203.pdf`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
});

it('shows pictures, by the ending that the token proxy gave them', async () => {
  const [id] = partsOf(await store.onUpload(incoming('a.png', streamOf('png'))));
  // The name in the address is for people only.
  const response = await store.read(id, 'a.html');
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(response.headers.get('content-disposition')).toBe('inline');
});

it('keeps nothing of an upload that broke off', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(9)),
    pull: (controller) => controller.error(new Error('gone')),
  });
  await expect(store.onUpload(incoming('a.pdf', broken))).rejects.toThrow('gone');
  expect(readdirSync(folder)).toEqual([]);
});

it.each(['..', '../secrets', 'a'.repeat(32), `${'0'.repeat(32)}/..`])('stores no file as %j', async (id) => {
  expect((await store.read(id, 'file.png')).status).toBe(404);
});

it('accepts no more files than its limit, however many arrive at once', async () => {
  const small = createFileStore(folder, () => 'https://files.example', 3);
  const uploads = Array.from({ length: 8 }, () => small.onUpload(incoming('a.pdf', streamOf('%PDF-1'))));
  const urls = await Promise.all(uploads);
  expect(urls.filter((url) => url !== null)).toHaveLength(3);
  expect(readdirSync(folder)).toHaveLength(3);
});

it.runIf(process.platform === 'linux')('opens no file for an answer that is not read', async () => {
  const [id, name] = partsOf(await store.onUpload(incoming('a.png', streamOf('png'))));
  for (let head = 0; head < 20; head += 1) await store.read(id, name);
  const open = readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
    } catch {
      // Closed meanwhile, such as the one of this very list.
      return false;
    }
  });
  expect(open).toEqual([]);
});
