/** The thread in which Flite speaks: it computes for as long as it likes, and no socket waits for it. */
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
import { workerData } from 'node:worker_threads';
import { type FliteTask, OUTPUT_FILE } from './flite-task.ts';

// Every host of this package has it; the libraries it is compiled with do not say so.
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
