import { readFileSync } from 'node:fs';

/** Reads a file of the contract's test vectors. The caller names the type. */
export function readVectors<Shape>(file: string): Shape {
  return JSON.parse(readFileSync(new URL(`../../../test/vectors/${file}`, import.meta.url), 'utf8'));
}
