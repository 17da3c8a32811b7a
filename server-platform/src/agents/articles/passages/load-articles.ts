import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadReplies } from '../intents/replies.ts';
import { ARTICLE_SLUG, type Article, languageOfSlug } from './article.ts';
import { parseArticle } from './parse-article.ts';

// `de`, `pt-BR`: no other folder beside articles has such a name.
const LANGUAGE_TAG = /^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/;

/** Whether an article may have this name: it begins with no language, or with another than the main one. */
export function isArticleSlug(slug: string, mainLanguage: string): boolean {
  const language = languageOfSlug(slug);
  const isOther = language !== mainLanguage && loadReplies().has(language ?? 'en');
  return ARTICLE_SLUG.test(slug) && isOther;
}

/** The articles of a folder, and the files that they were read from by slug. */
export interface LoadedArticles {
  readonly articles: readonly Article[];
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Reads all articles of a folder, in the order of their names. An article is a kebab-case `.md` file. Articles in
 * another language are in a folder named by its code, such as `de`.
 *
 * Rejects with one message that names every file that cannot be used and why, or when the folder is not there or holds
 * no article.
 */
export async function loadArticleFiles(folder: string): Promise<LoadedArticles> {
  const found = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new Error(`The folder ${folder} cannot be read. Check that it exists.`, { cause });
  });
  const names = found.filter((entry) => entry.isFile()).map(({ name }) => name);
  const languages = found.filter((entry) => entry.isDirectory() && LANGUAGE_TAG.test(entry.name));
  const strange = languages.filter(({ name }) => !loadReplies().has(name));
  if (strange.length > 0) {
    const known = [...loadReplies().keys()].join(', ');
    throw new Error(
      `${folder} has folders of languages that the agent does not know: ${strange.map(({ name }) => name).join(', ')}. Name them by one of ${known}.`,
    );
  }
  for (const { name: language } of languages)
    names.push(...(await readdir(join(folder, language))).map((name) => `${language}/${name}`));
  const slugs = names
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
  if (parsed.every(({ slug }) => languageOfSlug(slug) !== null)) {
    throw new Error(
      `${folder} holds no articles. Add Markdown files, each with a title in its front matter or as its first heading.`,
    );
  }
  const articles = parsed.flatMap(({ result }) => (result.kind === 'article' ? [result.article] : []));
  return { articles, files };
}

/** The articles of {@link loadArticleFiles} alone. */
export async function loadArticles(folder: string): Promise<readonly Article[]> {
  return (await loadArticleFiles(folder)).articles;
}
