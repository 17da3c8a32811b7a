import * as v from 'valibot';
import { parse, stringify } from 'yaml';
import { type Article, type ArticleSection, languageOfSlug } from './article.ts';

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

const line = (name: string) =>
  v.pipe(v.string(`${name} must be a text`), v.trim(), v.nonEmpty(`${name} must not be empty`));
const lines = (name: string) =>
  v.optional(v.array(line(`every entry of ${name}`), `${name} must be a list`), []);

const frontMatterSchema = v.object(
  {
    title: line('title'),
    category: v.optional(v.nullable(line('category')), null),
    keywords: lines('keywords'),
    questions: lines('questions'),
    suggestions: lines('suggestions'),
    page: v.optional(v.boolean('page must be true or false'), true),
  },
  (issue) =>
    issue.expected === '"title"' ? 'title is missing' : 'the front matter must be a list of keys and values',
);

/** The outcome of reading one article file. */
export type ParsedArticle =
  | { readonly kind: 'article'; readonly article: Article }
  | { readonly kind: 'invalid'; readonly problem: string };

/** An article as people write it: what its front matter says, and its Markdown. */
export interface ArticleText extends Omit<Article, 'slug' | 'language' | 'sections' | 'hasPage'> {
  readonly hasPage: boolean;
  readonly body: string;
}

/** Reads an article file: YAML front matter between `---` lines, then Markdown. Without a title there, the first heading is it. */
export function parseArticle(slug: string, source: string): ParsedArticle {
  const read = readArticleText(source);
  if (read.kind === 'invalid') return read;
  const { body, hasPage, ...frontMatter } = read.text;
  const sections = splitSections(body, frontMatter.title);
  if (sections.every((section) => section.blocks.length === 0)) return invalid('it has no text');
  const language = languageOfSlug(slug);
  return {
    kind: 'article',
    article: {
      slug,
      ...(language !== null && { language }),
      ...frontMatter,
      ...(hasPage ? {} : { hasPage }),
      sections,
    },
  };
}

/** Reads the parts of an article file. Its Markdown is not looked at. */
export function readArticleText(
  source: string,
): { readonly kind: 'text'; readonly text: ArticleText } | Extract<ParsedArticle, { kind: 'invalid' }> {
  const match = FRONT_MATTER.exec(source);
  const body = source.slice(match?.[0].length ?? 0).replace(/^\uFEFF/, '');
  const heading = readHeading(firstLine(body.trimStart()).trimEnd());
  if (match === null && heading === null)
    return invalid('it begins neither with front matter between two lines of --- nor with a heading');
  let data: unknown;
  try {
    data = parse(match?.[1] ?? '{}');
  } catch (error) {
    return invalid(
      `its front matter is not YAML: ${error instanceof Error ? firstLine(error.message) : 'unreadable'}`,
    );
  }
  if (heading !== null && data instanceof Object && !('title' in data)) data = { ...data, title: heading };
  const frontMatter = v.safeParse(frontMatterSchema, data);
  if (!frontMatter.success) return invalid(frontMatter.issues.map((issue) => issue.message).join('; '));
  const { page: hasPage, ...fields } = frontMatter.output;
  return { kind: 'text', text: { ...fields, hasPage, body } };
}

/** Writes an article file. */
export function writeArticleText({ body, hasPage, category, ...fields }: ArticleText): string {
  const lists = Object.entries(fields).filter(([, value]) => value.length > 0);
  const frontMatter = {
    ...Object.fromEntries(lists),
    ...(category !== null && { category }),
    ...(!hasPage && { page: false }),
  };
  return `---\n${stringify(frontMatter)}---\n${body}`;
}

const invalid = (problem: string) => ({ kind: 'invalid' as const, problem });

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** Splits a Markdown body at its headings; a first heading that repeats the title is left out. */
function splitSections(body: string, title: string): readonly ArticleSection[] {
  const sections: { heading: string | null; lines: string[] }[] = [{ heading: null, lines: [] }];
  let isInFence = false;
  for (const text of body.replaceAll('\r\n', '\n').split('\n')) {
    if (/^\s*(?:```|~~~)/.test(text)) isInFence = !isInFence;
    const heading = isInFence ? null : readHeading(text);
    if (heading === null) sections.at(-1)?.lines.push(text);
    else if (heading !== title) sections.push({ heading, lines: [] });
  }
  return sections
    .map((section) => ({ heading: section.heading, blocks: splitBlocks(section.lines) }))
    .filter((section) => section.blocks.length > 0);
}

function readHeading(line: string): string | null {
  const [, heading] = /^#{1,6}\s+(\S.*)$/.exec(line) ?? [];
  return (
    heading
      ?.trimEnd()
      .replace(/(?<=\s)#+$/, '')
      .trimEnd() ?? null
  );
}

/** Splits at blank lines, but keeps a list with the line that announces it, and a fenced block whole. */
function splitBlocks(allLines: readonly string[]): readonly string[] {
  const blocks: string[] = [];
  let current: string[] = [];
  let isInFence = false;
  const flush = (): void => {
    const block = current.join('\n').trim();
    current = [];
    if (block === '') return;
    const previous = blocks.at(-1);
    const belongsToPrevious =
      previous !== undefined &&
      LIST_ITEM.test(block) &&
      (previous.endsWith(':') || LIST_ITEM.test(lastLine(previous)));
    if (belongsToPrevious)
      blocks[blocks.length - 1] = `${previous}\n${previous.endsWith(':') ? '\n' : ''}${block}`;
    else blocks.push(block);
  };
  for (const text of allLines) {
    if (/^\s*(?:```|~~~)/.test(text)) isInFence = !isInFence;
    if (text.trim() === '' && !isInFence) flush();
    else current.push(text);
  }
  flush();
  return blocks;
}

const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s/;

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);
