import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';
import { parse } from 'yaml';

interface Article {
  readonly slug: string;
  readonly title: string;
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
  return {
    slug: file.replace(/\.md$/, ''),
    title: field('title'),
    category: field('category') || 'Other',
    html: marked.parse(body, { async: false }),
  };
}

/** The company's help centre, rendered from the very articles the agent answers from. */
export class HelpPages {
  readonly #articles: ReadonlyMap<string, Article>;
  readonly #template: string;
  readonly #indexTemplate: string;

  constructor(knowledgeFolder: string, siteFolder: string) {
    const articles = readdirSync(knowledgeFolder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => readArticle(knowledgeFolder, file));
    this.#articles = new Map(articles.map((article) => [article.slug, article]));
    this.#template = readFileSync(join(siteFolder, 'help.html'), 'utf8');
    this.#indexTemplate = readFileSync(join(siteFolder, 'help-index.html'), 'utf8');
  }

  /** The page of one article, null when there is none of that name. */
  renderArticle(slug: string): string | null {
    const article = this.#articles.get(slug);
    if (!article) return null;
    const related = [...this.#articles.values()].filter(
      (other) => other.category === article.category && other.slug !== slug,
    );
    return this.#render(article.title, article.html, related);
  }

  /** A page of its own text that stands beside the articles on payments. `html` is ours, never a visitor's. */
  renderPage(title: string, html: string): string {
    const related = [...this.#articles.values()].filter(({ slug }) => /pay|refund/.test(slug));
    return this.#render(title, html, related);
  }

  #render(title: string, html: string, related: readonly Article[]): string {
    return this.#template
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
    return this.#indexTemplate.replace('{{articles}}', () => sections.join('\n'));
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
