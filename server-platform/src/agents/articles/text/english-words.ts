import { readFileSync } from 'node:fs';
import { lazy } from '../../../kit/lazy.ts';
import { packageFile } from '../../../kit/package-files.ts';

const words = lazy(
  (): ReadonlySet<string> =>
    new Set(readFileSync(packageFile('knowledge/english-words.txt'), 'utf8').split('\n')),
);

/** Whether a lower-case word is one that most English speakers know, in any of its forms: it is no misspelt other one. */
export const isEnglishWord = (word: string): boolean => words().has(word);
