import { fileURLToPath } from 'node:url';
import { buildWhenOld } from './build-when-old.ts';

/** Builds the script-tag bundle when it is missing or older than its sources; returns its folder. */
export function buildEmbed(): string {
  buildWhenOld('the widget', 'dist/embed/natter.js', ['src'], ['--mode', 'embed']);
  return fileURLToPath(new URL('../../dist/embed', import.meta.url));
}
