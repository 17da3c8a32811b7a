import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

// RFC 7518, 3.2: an HS256 key has at least the size of the hash.
const MIN_SECRET_BYTES = 32;

/**
 * Converts a configured secret to key bytes: its text as UTF-8.
 *
 * Throws when it is shorter than 32 bytes.
 */
export function tokenSecretFromText(secret: string): Uint8Array {
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new Error(`The token secret has ${bytes.length} bytes; give it at least ${MIN_SECRET_BYTES}.`);
  }
  return bytes;
}

/**
 * Reads the token secret from a file, or creates a random one on the first start (readable by the owner only). Tokens
 * stay valid across restarts while the file exists; two processes that start concurrently use the same secret.
 *
 * Throws when others can read the file or it is too short.
 */
export async function loadOrCreateTokenSecret(path: string): Promise<Uint8Array> {
  await mkdir(dirname(path), { recursive: true });
  if (!existsSync(path)) await writeOnce(path, `${randomBytes(48).toString('base64url')}\n`);
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
    throw new Error(`The token secret in ${path} can be read by other users; run: chmod 600 ${path}`);
  }
  return tokenSecretFromText((await readFile(path, 'utf8')).trim());
}

/** Links a complete file into place, so that a second process never reads half a file. */
async function writeOnce(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
    await link(draft, path);
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
