import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked } from 'marked';
import { parse } from 'yaml';
import { type FoundArticle, type SearchedArticle, searchArticles } from './search-articles.ts';

const KNOWLEDGE = fileURLToPath(new URL('../../server-platform/knowledge/kittiwake', import.meta.url));
const SITE = fileURLToPath(new URL('../site', import.meta.url));

interface Article extends SearchedArticle {
  readonly slug: string;
  readonly category: string;
  readonly html: string;
}

/** From planning a journey to what may go wrong with it. Categories that are not here come after, by name. */
const CATEGORY_ORDER: readonly string[] = [
  'Routes and timetable',
  'Fares and discounts',
  'Booking and changes',
  'Before you travel',
  'Vehicles',
  'On board',
  'Families and access',
  'Terminals',
  'Delays and cancellations',
  'About us',
];

const MOST_READ: readonly string[] = ['check-in-times', 'live-sailing-status', 'pets', 'refunds'];

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/;

const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign,
  );

function readArticle(folder: string, file: string): Article {
  const [, head = '', body = ''] = FRONT_MATTER.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
  const fields: unknown = parse(head);
  const field = (name: string): string =>
    typeof fields === 'object' && fields !== null && name in fields
      ? String((fields as Readonly<Record<string, unknown>>)[name])
      : '';
  const title = field('title');
  return {
    slug: file.replace(/\.md$/, ''),
    title,
    category: field('category') || 'Other',
    html: marked.parse(body, { async: false }),
    body,
  };
}

/** A page that is not an article, in the look of one. */
interface OwnPage {
  readonly title: string;
  readonly html: string;
  /** Related articles, by pattern of their names. */
  readonly related: RegExp;
}

/** `html` and `parent` are ours, never a visitor's. */
interface PageText {
  readonly title: string;
  readonly html: string;
  /** Link to the page above it. */
  readonly parent: string;
}

const HELP_CENTRE = '<a href="/help">Help centre</a>';
const START_PAGE = '<a href="/">Start page</a>';

/** The company's help centre, rendered from the very articles the agent answers from. */
export class HelpPages {
  readonly #articles: ReadonlyMap<string, Article>;
  readonly #template: string;
  readonly #indexTemplate: string;

  constructor(knowledgeFolder: string = KNOWLEDGE, siteFolder: string = SITE) {
    const articles = readdirSync(knowledgeFolder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => readArticle(knowledgeFolder, file));
    this.#articles = new Map(articles.map((article) => [article.slug, article]));
    this.#template = readFileSync(join(siteFolder, 'help.html'), 'utf8');
    this.#indexTemplate = readFileSync(join(siteFolder, 'help-index.html'), 'utf8');
  }

  /** The page of one article, null for an unknown name. */
  renderArticle(slug: string): string | null {
    const article = this.#articles.get(slug);
    if (!article) return null;
    const related = [...this.#articles.values()].filter(
      (other) => other.category === article.category && other.slug !== slug,
    );
    return this.#render({ title: article.title, html: article.html, parent: HELP_CENTRE }, related);
  }

  /** A page of the company's text beside the articles whose names match `related`. `html` is ours, never a visitor's. */
  renderPage({ title, html, related }: OwnPage): string {
    const articles = [...this.#articles.values()].filter(({ slug }) => related.test(slug));
    return this.#render({ title, html, parent: START_PAGE }, articles);
  }

  /** The articles that answer a query, the best first. */
  search(query: string): readonly FoundArticle<Article>[] {
    return searchArticles([...this.#articles.values()], query);
  }

  /** The articles to show to a visitor who has not asked for anything. A real help centre would count its readers. */
  mostRead(): readonly Article[] {
    return MOST_READ.flatMap((slug) => this.#articles.get(slug) ?? []);
  }

  /** One article, null for an unknown name. */
  find(slug: string): Article | null {
    return this.#articles.get(slug) ?? null;
  }

  /** The page with the results of a search. */
  renderSearch(query: string): string {
    const found = this.search(query);
    const html =
      found.length === 0
        ? `<p role="status">No article has these words. Ask Ada at the bottom of this page, or see <a href="/help">all articles</a>.</p>`
        : `<section><h2>Found: ${found.length}</h2><ul>${found.map(({ article }) => toListItem(article)).join('\n')}</ul></section>`;
    return this.#renderIndexWith(html, query);
  }

  #render({ title, html, parent }: PageText, related: readonly Article[]): string {
    return this.#template
      .replace('{{parent}}', parent)
      .replaceAll('{{title}}', () => escapeHtml(title))
      .replace('{{body}}', () => html)
      .replace('{{related}}', () => related.slice(0, 5).map(toListItem).join('\n'));
  }

  /** All articles by category, in the order of a journey. */
  renderIndex(): string {
    const categories = Map.groupBy(this.#articles.values(), ({ category }) => category);
    const sections = [...categories]
      .sort(([one], [other]) => compareCategories(one, other))
      .map(
        ([category, articles]) =>
          `<section><h2>${escapeHtml(category)}</h2><ul>${articles.map(toListItem).join('\n')}</ul></section>`,
      );
    return this.#renderIndexWith(sections.join('\n'), '');
  }

  #renderIndexWith(articles: string, query: string): string {
    return this.#indexTemplate
      .replace('{{articles}}', () => articles)
      .replace('{{query}}', () => escapeHtml(query));
  }
}

function compareCategories(one: string, other: string): number {
  const place = (category: string): number => {
    const index = CATEGORY_ORDER.indexOf(category);
    return index < 0 ? CATEGORY_ORDER.length : index;
  };
  return place(one) - place(other) || one.localeCompare(other, 'en');
}

const toListItem = ({ slug, title }: Article): string =>
  `<li><a href="/help/${slug}">${escapeHtml(title)}</a></li>`;
