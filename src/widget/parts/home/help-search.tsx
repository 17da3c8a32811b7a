import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { ChatServices, HelpArticle, SearchLimits } from '../../../client/index.ts';
import { Icon } from '../../icons.tsx';
import { toSafeHref } from '../../links/safe-href.ts';
import { useLink } from '../../links/use-link.ts';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import type { HomeTexts } from './home-texts.ts';

const SEARCH = 'M10.5 4a6.5 6.5 0 10.01 0zm4.7 11.2L20 20';
/** A single letter matches nearly every article. */
const MIN_CHARACTERS = 2;
/** Longer than the pauses of a visitor who is typing. */
const SEARCH_AFTER_MS = 250;
const MAX_SHOWN = 5;

interface Found {
  readonly query: string;
  /** `null` where the search failed. */
  readonly articles: readonly HelpArticle[] | null;
}

/** The search in the site's help articles. Results change while the visitor types. */
export function HelpSearch(props: {
  readonly services: ChatServices;
  readonly limits: SearchLimits;
  readonly texts: HomeTexts;
}): VNode {
  const { services, limits, texts } = props;
  const { language } = usePanel();
  const query = useSignal('');
  const found = useSignal<Found | null>(null);
  const words = query.value.trim();
  useLayoutEffect(() => {
    if (words.length < MIN_CHARACTERS) {
      found.value = null;
      return;
    }
    const giveUp = new AbortController();
    const timer = setTimeout(async () => {
      const articles = await services.searchHelp({
        query: words,
        language: language.peek(),
        signal: giveUp.signal,
      });
      if (!giveUp.signal.aborted) found.value = { query: words, articles };
    }, SEARCH_AFTER_MS);
    return () => {
      clearTimeout(timer);
      giveUp.abort();
    };
  }, [words, services, language, found]);
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
      <Results found={found.value} texts={texts} />
    </search>
  );
}

function Results({ found, texts }: { readonly found: Found | null; readonly texts: HomeTexts }): VNode {
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
      {shown.length > 0 && (
        <ul class="help-results">
          {shown.map((article) => (
            <li key={article.url}>
              <Article {...article} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Article({ title, url, excerpt }: HelpArticle): VNode | null {
  const toLink = useLink();
  const href = toSafeHref(url);
  if (!href) return null;
  return (
    <a {...toLink(href, title)} dir="auto">
      <strong>{title}</strong>
      {excerpt && <span>{excerpt}</span>}
    </a>
  );
}
