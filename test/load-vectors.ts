import { readFileSync } from 'node:fs';

/**
 * Reads one file of the contract's vectors. `Vectors` describes the parts a test uses: the files are data
 * this repository ships, so their shape is taken as given.
 */
export function loadVectors<Vectors>(name: string): Vectors {
  return JSON.parse(readFileSync(new URL(`./vectors/${name}.json`, import.meta.url), 'utf8')) as Vectors;
}
