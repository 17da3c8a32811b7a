import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Addresses of a demo's parts; the console is null with a platform that runs elsewhere. */
export interface DemoUrls {
  readonly demo: string;
  readonly bench: string;
  readonly proxy: string;
  readonly platform: string;
  readonly console: string | null;
}

/** Data that a start of the demo stores in its data folder for `npm run keys`. Contains no secret. */
export interface DemoRun {
  readonly urls: DemoUrls;
  /** A platform configuration of your own; null for the demo company. */
  readonly configFile: string | null;
}

const fileOf = (dataDir: string): string => join(dataDir, 'demo-run.json');

export function writeRun(dataDir: string, run: DemoRun): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(fileOf(dataDir), JSON.stringify(run));
}

/** The last start with this data folder, which may still be running; null when there was none. */
export function readRun(dataDir: string): DemoRun | null {
  const file = fileOf(dataDir);
  // Written by `writeRun`.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoRun) : null;
}
