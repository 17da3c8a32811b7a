import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { ArticleText, ChatServices, HelpArticle } from '../../../client/index.ts';
import { toSafeHref } from '../../links/safe-href.ts';
import { useLink } from '../../links/use-link.ts';
import { useLazyPart, usePanel } from '../../panel/model/panel-model.ts';
import { HOME_TEXTS } from './home-texts.ts';
import { ReadingScreen } from './reading-screen.tsx';

/** In place of the home screen: a help article, with a link to its page. */
export function ArticleScreen(props: {
  readonly article: HelpArticle;
  readonly services: ChatServices;
  readonly onBack: () => void;
}): VNode {
  const { article, services, onBack } = props;
  const { partTexts, language, leaveHome } = usePanel();
  const texts = partTexts('home', HOME_TEXTS);
  const toLink = useLink();
  /** `undefined` while it loads; `null` where it cannot be shown. */
  const text = useSignal<ArticleText | null | undefined>(undefined);
  useLayoutEffect(() => {
    const giveUp = new AbortController();
    const { signal } = giveUp;
    void services.readArticle({ id: article.id ?? '', language: language.peek(), signal }).then((read) => {
      if (!signal.aborted) text.value = read;
    });
    return () => giveUp.abort();
  }, [article, services, language, text]);
  const href = toSafeHref(text.value?.url ?? article.url);
  return (
    <ReadingScreen
      title={text.value?.title ?? article.title}
      subtitle={
        href && (
          <a class="text-button" {...toLink(href, texts.openPage)}>
            {texts.openPage}
          </a>
        )
      }
      onBack={onBack}
      footer={
        <button type="button" class="button primary home-write" onClick={leaveHome}>
          {texts.write}
        </button>
      }
    >
      <div aria-busy={text.value === undefined}>
        {text.value && <ArticleBody text={text.value.text} />}
        <p role="status">{text.value === null && texts.noArticle}</p>
      </div>
    </ReadingScreen>
  );
}

function ArticleBody({ text }: { readonly text: string }): VNode {
  const { parts } = usePanel();
  const markdown = useLazyPart(parts.markdown);
  if (markdown) return <markdown.RichText text={text} isStreaming={false} />;
  // As it was written, where the code cannot be loaded.
  return <p class="article-raw">{parts.markdown.hasFailed.value && text}</p>;
}
