import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { packageFile } from '../../kit/package-files.ts';

/** The script of the reference page. */
export interface ReferenceScript {
  /** JavaScript, gzip. */
  readonly compressed: Uint8Array<ArrayBuffer>;
  /** Changes with the script. */
  readonly hash: string;
}

// In the published package, which should not install the hundred packages that Scalar's bundle was built from.
const PACKED = packageFile('reference/scalar.js.gz');

/** Reads Scalar's script: from the published package, otherwise from the repository's `node_modules`. */
export async function readReferenceScript(packed: string | URL = PACKED): Promise<ReferenceScript> {
  const compressed = new Uint8Array((await readIfThere(packed)) ?? (await compressScript()));
  return { compressed, hash: createHash('sha256').update(compressed).digest('hex').slice(0, 16) };
}

/** Compresses Scalar's script for the published package. */
export async function compressScript(): Promise<Uint8Array> {
  const script = new URL('./browser/standalone.js', import.meta.resolve('@scalar/api-reference'));
  return await promisify(gzip)(await readFile(script));
}

async function readIfThere(file: string | URL): Promise<Uint8Array | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
