import { readFileSync } from 'node:fs';

/**
 * Reads one file of the contract's vectors. `Vectors` describes the parts that a test uses; these are not checked,
 * because the files are part of this repository.
 */
export function loadVectors<Vectors>(name: string): Vectors {
  return JSON.parse(readFileSync(new URL(`./vectors/${name}.json`, import.meta.url), 'utf8')) as Vectors;
}
