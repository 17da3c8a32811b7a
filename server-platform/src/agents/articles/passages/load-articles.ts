import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Article } from './article.ts';
import { parseArticle } from './parse-article.ts';

/** The form of an article's name. Other Markdown in the folder (README.md, FACTS.md) is for people, not for visitors. */
export const ARTICLE_SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The articles of a folder, and the files that they were read from by slug. */
export interface LoadedArticles {
  readonly articles: readonly Article[];
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Reads all articles of a folder, in the order of their names. An article is a kebab-case `.md` file.
 *
 * Rejects with one message that names every file that cannot be used and why, or when the folder is not there or holds
 * no article.
 */
export async function loadArticleFiles(folder: string): Promise<LoadedArticles> {
  const found = await readdir(folder).catch((cause: unknown) => {
    throw new Error(`The folder ${folder} cannot be read. Check that it exists.`, { cause });
  });
  const slugs = found
    .filter((name) => name.endsWith('.md') && ARTICLE_SLUG.test(name.slice(0, -'.md'.length)))
    .map((name) => name.slice(0, -'.md'.length))
    // As files are listed, with their endings: `car-fares.md` before `car.md`.
    .sort((one, other) => (`${one}.md` < `${other}.md` ? -1 : 1));
  const files = new Map<string, string>();
  for (const slug of slugs) files.set(slug, await readFile(join(folder, `${slug}.md`), 'utf8'));
  const parsed = [...files].map(([slug, source]) => ({ slug, result: parseArticle(slug, source) }));
  const problems = parsed.flatMap(({ slug, result }) =>
    result.kind === 'invalid' ? [`${slug}.md: ${result.problem}`] : [],
  );
  if (problems.length > 0) {
    throw new Error(`Correct these articles in ${folder}: ${problems.join('. ')}.`);
  }
  if (parsed.length === 0) {
    throw new Error(`${folder} holds no articles. Add Markdown files with a title in their front matter.`);
  }
  const articles = parsed.flatMap(({ result }) => (result.kind === 'article' ? [result.article] : []));
  return { articles, files };
}

/** The articles of {@link loadArticleFiles} alone. */
export async function loadArticles(folder: string): Promise<readonly Article[]> {
  return (await loadArticleFiles(folder)).articles;
}
