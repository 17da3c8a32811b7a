/** The thread that runs Flite, so that long computations do not block sockets. */
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
import { workerData } from 'node:worker_threads';
import { type FliteTask, OUTPUT_FILE } from './flite-task.ts';

// Every host of this package provides it, but the compiler's libraries do not declare it.
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ readonly instance: { readonly exports: Readonly<Record<string, unknown>> } }>;
};

const { engine, folder, text, voice, stretch }: FliteTask = workerData;

const wasi = new WASI({
  version: 'preview1',
  args: [
    'flite',
    '-voice',
    voice,
    '--setf',
    `duration_stretch=${stretch}`,
    '-t',
    text,
    '-o',
    `/out/${OUTPUT_FILE}`,
  ],
  env: {},
  preopens: { '/out': folder },
  returnOnExit: true,
});
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(await readFile(engine), imports);
process.exitCode = wasi.start(instance);
