import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from '../demo/build-console.ts';
import { buildEmbed } from '../demo/build-embed.ts';

/** Once, before workers that would each build widget and console over the other's. */
export default function buildWidget(): void {
  // Programs that tests start compile the same sources again and again.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'natter-compile-cache');
  buildEmbed();
  buildConsole();
}
