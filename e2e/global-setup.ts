import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildEmbed } from '../demo/build-embed.ts';

/** Once, before workers that would each build the widget over the other's. */
export default function buildWidget(): void {
  // Programs that tests start compile the same sources again and again.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'natter-compile-cache');
  buildEmbed();
}
