import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { startTestPlatform, type TestPlatform } from '../../../test/realtime/test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform(EMBEDDED_ENGINE);
});
afterAll(() => platform.stop());

async function post(path: string, body: Uint8Array | string, encoding: string): Promise<Response> {
  return await fetch(`http://127.0.0.1:${platform.messaging.port}${path}`, {
    method: 'POST',
    headers: { 'x-token': 'connector-token', 'x-host': 'example.com', 'content-encoding': encoding },
    body: body as BodyInit,
  });
}

const TOKEN_PATH = '/api/v1/access-token';

describe('the body of a request', () => {
  it.each([
    ['gzip', gzipSync('{}')],
    ['x-gzip', gzipSync('{}')],
    ['deflate', deflateSync('{}')],
    ['br', brotliCompressSync('{}')],
    ['Identity', '{}'],
  ])('decompresses a body sent as %s', async (encoding, body) => {
    expect((await post(TOKEN_PATH, body, encoding)).status).toBe(200);
  });

  it('refuses a body whose decompressed size exceeds the limit', async () => {
    const bomb = gzipSync(`{"a":"${' '.repeat(50_000_000)}"}`);
    expect(bomb.length).toBeLessThan(65_536);
    expect((await post(TOKEN_PATH, bomb, 'gzip')).status).toBe(413);
  });

  it('refuses a body with 400 that does not match its encoding', async () => {
    expect((await post(TOKEN_PATH, '{}', 'gzip')).status).toBe(400);
  });

  it('refuses a body in an unknown encoding with 415', async () => {
    const answer = await post(TOKEN_PATH, '{}', 'zstd');
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({
      error_message: 'Request body has an unknown Content-Encoding: send it plain, or as gzip, deflate or br',
    });
  });

  it('accepts any number in a field that the call ignores (TOK-1)', async () => {
    expect((await post(TOKEN_PATH, '{"a":9007199254740993,"b":1e999}', 'identity')).status).toBe(200);
  });

  it('reads the body of a call whose path ends with a slash', async () => {
    expect((await post(`${TOKEN_PATH}/`, '{}', 'identity')).status).toBe(200);
  });
});
