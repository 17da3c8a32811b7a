import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../kit/package-files.ts';
import { compressScript } from './reference-script.ts';

// Runs before packing: the published package contains the reference page's script as a separate file.
const folder = packageFile('reference');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'scalar.js.gz'), await compressScript());
