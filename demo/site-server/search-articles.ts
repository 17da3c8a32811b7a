/** An article as the search reads it. */
export interface SearchedArticle {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

/** An article that was found, with the sentences that hold the words. */
export interface FoundArticle<Article extends SearchedArticle> {
  readonly article: Article;
  readonly excerpt: string;
}

/** Words that most articles have, and most questions. */
const COMMON = new Set(
  'a an and are as at be by can do does for from have how i in is it me my of on or our the to we what when where which who will with you your'.split(
    ' ',
  ),
);
/** Less than this is the beginning of too many words. */
const MIN_STEM = 3;
const MAX_FOUND = 20;
const TITLE_WEIGHT = 4;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The stem to search for: a word without plural or verb ending. "bring" has no ending. */
const stemOf = (word: string): string =>
  word.length > 4 ? word.replace(/(?<=...)(?:ies|ing|es|ed|s|y)$/, '') : word;

/** The text of an article without marks, tables and headings, by sentences. */
const sentencesOf = (body: string): readonly string[] =>
  body
    .split('\n')
    .filter((line) => !/^\s*(?:[#|]|---)/.test(line))
    .map((line) =>
      line
        .replace(/^\s*(?:[-*+]|\d+\.)\s+/, '')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[*_`]/g, ''),
    )
    .join('\n')
    .split(/(?<=[.!?])\s+|\n{2,}/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter(Boolean);

/**
 * The articles with most of the words of a query, the best first: in the title they count more. The last word may be the
 * beginning of one. Of a query of common words alone nothing is found.
 */
export function searchArticles<Article extends SearchedArticle>(
  articles: readonly Article[],
  query: string,
): readonly FoundArticle<Article>[] {
  const stems = [
    ...new Set(
      wordsOf(query)
        .filter((word) => !COMMON.has(word))
        .map(stemOf),
    ),
  ];
  if (stems.length === 0) return [];
  const countIn = (text: string): number => {
    const words = wordsOf(text);
    const isIn = (stem: string): boolean =>
      words.some((word) => (stem.length < MIN_STEM ? word === stem : word.startsWith(stem)));
    return stems.filter(isIn).length;
  };
  return articles
    .map((article) => ({
      article,
      inTitle: countIn(article.title),
      inAll: countIn(`${article.title} ${article.body}`),
    }))
    .filter(({ inAll }) => inAll * 2 > stems.length)
    .sort((one, other) => other.inAll - one.inAll + (other.inTitle - one.inTitle) * TITLE_WEIGHT)
    .slice(0, MAX_FOUND)
    .map(({ article }) => {
      const sentences = sentencesOf(article.body);
      const best = sentences.toSorted((one, other) => countIn(other) - countIn(one))[0];
      return { article, excerpt: best ?? '' };
    });
}
