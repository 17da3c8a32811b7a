import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Article } from './article.ts';
import { parseArticle } from './parse-article.ts';

// Other Markdown in the folder (README.md, FACTS.md) is for people, not for visitors.
const ARTICLE_FILE = /^[a-z0-9]+(?:-[a-z0-9]+)*\.md$/;

/**
 * Reads all articles of a folder, in the order of their names. An article is a kebab-case `.md` file.
 *
 * Rejects with one message that names every file that cannot be used and why, or when the folder is not there or holds
 * no article.
 */
export async function loadArticles(folder: string): Promise<readonly Article[]> {
  const files = await readdir(folder).catch((cause: unknown) => {
    throw new Error(`The folder ${folder} cannot be read. Check that it exists.`, { cause });
  });
  const names = files.filter((name) => ARTICLE_FILE.test(name)).sort();
  const parsed = await Promise.all(
    names.map(async (name) => ({
      name,
      result: parseArticle(name.slice(0, -'.md'.length), await readFile(join(folder, name), 'utf8')),
    })),
  );
  const problems = parsed.flatMap(({ name, result }) =>
    result.kind === 'invalid' ? [`${name}: ${result.problem}`] : [],
  );
  if (problems.length > 0) {
    throw new Error(`Correct these articles in ${folder}: ${problems.join('. ')}.`);
  }
  if (parsed.length === 0) {
    throw new Error(`${folder} holds no articles. Add Markdown files with a title in their front matter.`);
  }
  return parsed.flatMap(({ result }) => (result.kind === 'article' ? [result.article] : []));
}
