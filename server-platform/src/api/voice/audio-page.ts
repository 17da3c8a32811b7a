import { open } from 'node:fs/promises';
import { Hono } from 'hono';
import type { Clock } from '../../kit/clock.ts';
import type { PlatformEnv } from '../../kit/http/index.ts';
import { errorAnswer, REST_ERRORS, RestError } from '../rest/index.ts';
import type { DiskStore } from './disk-store.ts';

/** `GET /audio/{name}`: files of the disk store, for holders of a signed address. */
export function createAudioPage(store: DiskStore, clock: Clock): Hono<PlatformEnv> {
  const page = new Hono<PlatformEnv>();
  page.use(async (context, next) => {
    await next();
    // Source: C-12.
    context.header('X-Correlation-Id', context.var.correlationId);
  });
  page.get('/:name', async (context) => {
    const nowMs = clock.now();
    const found = store.find(context.req.param('name'), context.req.query('signature') ?? '', nowMs);
    const refuse = (error: RestError): Response => errorAnswer(error, 'M', context.var.correlationId);
    if (found.status === 'refused')
      return refuse(new RestError(403, 'USER_ACCESS_FORBIDDEN', 'The address is not valid any more'));
    const audio = await readFileAt(found.path);
    if (audio === null) return refuse(REST_ERRORS.notFound());
    const headers = {
      'Content-Type': 'audio/wav',
      'Accept-Ranges': 'bytes',
      // The signed address is the permission, so any page may play it.
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': `private, max-age=${Math.floor((found.expiresAtMs - nowMs) / 1000)}`,
    };
    const range = readRange(context.req.header('range'), audio.length);
    if (range === null) return new Response(audio, { headers });
    const part = audio.subarray(range.start, range.end + 1);
    const contentRange = `bytes ${range.start}-${range.end}/${audio.length}`;
    return new Response(part, { status: 206, headers: { ...headers, 'Content-Range': contentRange } });
  });
  page.all('/:name', ({ var: { correlationId } }) =>
    errorAnswer(REST_ERRORS.methodNotAllowed(['GET', 'HEAD']), 'M', correlationId),
  );
  return page;
}

/** Reads a file; null if it does not exist. */
async function readFileAt(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const file = await open(path);
    try {
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Parses a single range, which Safari requests before playing. Null: the whole file, as for any other range. */
function readRange(
  header: string | undefined,
  length: number,
): { readonly start: number; readonly end: number } | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(length - Number(to), 0) : Number(from);
  const end = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  return start <= end ? { start, end } : null;
}
