import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { ChatServices, HelpArticle } from '../../../client/index.ts';
import { Icon } from '../../icons.tsx';
import { toSafeHref } from '../../links/safe-href.ts';
import { useLink } from '../../links/use-link.ts';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import type { HomeTexts } from './home-texts.ts';
import type { Search } from './use-home-data.ts';

const SEARCH = 'M10.5 4a6.5 6.5 0 10.01 0zm4.7 11.2L20 20';
/** A single letter matches nearly every article. */
const MIN_CHARACTERS = 2;
/** Longer than the pauses of a visitor who is typing. */
const SEARCH_AFTER_MS = 250;
const MAX_SHOWN = 5;
/** Before the visitor has typed; the earlier conversations are still in view below. */
const MAX_POPULAR = 4;

/** `button` is the one that was pressed. */
export type OpenArticle = (article: HelpArticle, button: HTMLElement) => void;

interface Found {
  readonly query: string;
  /** `null` where the search failed. */
  readonly articles: readonly HelpArticle[] | null;
}

/** The search in the site's help articles. Results change while the visitor types. */
export function HelpSearch(props: {
  readonly services: ChatServices;
  readonly search: Search;
  readonly texts: HomeTexts;
  readonly onOpen: OpenArticle;
  /** Between what was found and the articles that are read most. */
  readonly children: ComponentChildren;
}): VNode {
  const { services, texts, onOpen, children } = props;
  const { limits, popular } = props.search;
  const { language } = usePanel();
  const query = useSignal('');
  const found = useSignal<Found | null>(null);
  const searchText = query.value.trim();
  useLayoutEffect(() => {
    if (searchText.length < MIN_CHARACTERS) {
      found.value = null;
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const articles = await services.searchHelp({
        query: searchText,
        language: language.peek(),
        signal: controller.signal,
      });
      if (!controller.signal.aborted) found.value = { query: searchText, articles };
    }, SEARCH_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [searchText, services, language, found]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault();
    if (event.key !== 'Escape' || query.peek() === '') return;
    // Escape empties the field first, and closes the panel next.
    event.stopPropagation();
    query.value = '';
  };
  return (
    <search class="help">
      <label class="help-field">
        <Icon path={SEARCH} />
        <span class="sr">{texts.search}</span>
        <input
          type="search"
          value={query.value}
          placeholder={texts.search}
          maxLength={limits.maxQueryCharacters}
          autocomplete="off"
          enterkeyhint="search"
          dir={query.value ? 'auto' : undefined}
          onInput={({ currentTarget }) => {
            query.value = currentTarget.value;
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <Results found={found.value} texts={texts} onOpen={onOpen} />
      {children}
      {!found.value && popular.length > 0 && (
        <>
          <h4 id="popular-title">{texts.popular}</h4>
          <ArticleList articles={popular.slice(0, MAX_POPULAR)} label="popular-title" onOpen={onOpen} />
        </>
      )}
    </search>
  );
}

function Results(props: {
  readonly found: Found | null;
  readonly texts: HomeTexts;
  readonly onOpen: OpenArticle;
}): VNode {
  const { found, texts, onOpen } = props;
  const { chat, leaveHome, locale } = usePanel();
  const shown = (found?.articles ?? []).slice(0, MAX_SHOWN);
  const ask = () => {
    chat.setUnsent(found?.query ?? '');
    leaveHome();
  };
  const status =
    found &&
    (found.articles === null
      ? texts.failed
      : shown.length === 0
        ? texts.none
        : fill(texts.found, { count: new Intl.NumberFormat(locale.value).format(shown.length) }));
  return (
    <>
      <p class={shown.length > 0 ? 'sr' : 'help-status'} role="status">
        {status}
      </p>
      {found && shown.length === 0 && (
        <button type="button" class="text-button help-ask" onClick={ask}>
          {texts.ask}
        </button>
      )}
      {shown.length > 0 && <ArticleList articles={shown} onOpen={onOpen} />}
    </>
  );
}

function ArticleList(props: {
  readonly articles: readonly HelpArticle[];
  /** Id of the list's heading. */
  readonly label?: string;
  readonly onOpen: OpenArticle;
}): VNode {
  return (
    <ul class="help-results" aria-labelledby={props.label}>
      {props.articles.map((article) => (
        <li key={article.url}>
          <Article article={article} onOpen={props.onOpen} />
        </li>
      ))}
    </ul>
  );
}

/** Opens the article in the panel where the site gives its text, else its page. */
function Article(props: { readonly article: HelpArticle; readonly onOpen: OpenArticle }): VNode | null {
  const { article, onOpen } = props;
  const { title, url, excerpt, id } = article;
  const toLink = useLink();
  const href = toSafeHref(url);
  const words = (
    <>
      <strong>
        <bdi>{title}</bdi>
      </strong>
      {excerpt && (
        <span>
          <bdi>{excerpt}</bdi>
        </span>
      )}
    </>
  );
  if (id)
    return (
      <button type="button" onClick={({ currentTarget }) => onOpen(article, currentTarget)}>
        {words}
      </button>
    );
  return href ? <a {...toLink(href, title)}>{words}</a> : null;
}
