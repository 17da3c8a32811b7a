import { buildEmbed } from '../demo/build-embed.ts';

/** Once, before workers that would each build the widget over the other's. */
export default function buildWidget(): void {
  buildEmbed();
}
