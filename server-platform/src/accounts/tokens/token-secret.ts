import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

// RFC 7518, 3.2: an HS256 key has at least the size of the hash.
const MIN_SECRET_BYTES = 32;

/**
 * Turns a configured secret into key bytes: its UTF-8 text, as it is.
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
 * Reads the token secret from a file, or makes a random one on the first start (readable by the owner only). Tokens
 * stay valid across restarts for as long as the file is kept; two processes that start at once agree on one secret.
 *
 * Throws when the file can be read by others or holds too little.
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

/** A link appears whole or not at all, so a second process never reads half a file. */
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
