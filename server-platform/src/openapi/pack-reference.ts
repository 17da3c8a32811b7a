import { mkdir, writeFile } from 'node:fs/promises';
import { compressScript } from './reference-script.ts';

// Run before packing: the published package has the reference page's script as a file of its own.
const folder = new URL('../../reference/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('scalar.js.gz', folder), await compressScript());
