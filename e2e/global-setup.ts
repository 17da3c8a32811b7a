import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBench } from '../demo/build/build-bench.ts';
import { buildConsole } from '../demo/build/build-console.ts';
import { buildEmbed } from '../demo/build/build-embed.ts';
import { buildWhenOld } from '../demo/build/build-when-old.ts';

/** Runs once, because workers would overwrite each other's builds of widget, package, console and test bench. */
export default function buildWidget(): void {
  // Programs that tests start compile the same sources repeatedly.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'natter-compile-cache');
  buildEmbed();
  // The examples use the package as customers get it.
  buildWhenOld('the package', 'dist/index.js', ['src'], ['--mode', 'npm']);
  buildConsole();
  buildBench();
}
