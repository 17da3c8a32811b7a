import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { marked, type Tokens } from 'marked';
import { PAGES } from '../../../docs/.vitepress/site-map.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** One block of code on a page of the documentation. */
export interface Sample {
  /** The page's file in the repository. */
  readonly page: string;
  /** The first word after the opening fence; empty without one. */
  readonly language: string;
  readonly text: string;
}

/** Returns all blocks of code of all pages, in order. */
export function readSamples(): readonly Sample[] {
  return ['README.md', ...Object.keys(PAGES)].flatMap((page) => {
    const blocks: Sample[] = [];
    marked.walkTokens(marked.lexer(readFileSync(`${ROOT}/${page}`, 'utf8')), (token) => {
      if (token.type !== 'code') return;
      const { lang, text } = token as Tokens.Code;
      blocks.push({ page, language: (lang ?? '').split(' ')[0] ?? '', text });
    });
    return blocks;
  });
}
