import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { HelpArticle, PastConversation } from '../../../client/index.ts';
import { useLazyPart, usePanel } from '../../panel/model/panel-model.ts';
import { ArticleScreen } from './article-screen.tsx';
import { countWritten } from './count-written.ts';
import { HelpSearch } from './help-search.tsx';
import { HOME_TEXTS, type HomeTexts } from './home-texts.ts';
import { PastList } from './past-list.tsx';
import { PastScreen } from './past-screen.tsx';
import { useHomeData } from './use-home-data.ts';

/** Replaces the conversation until the visitor writes: greeting, hours, help search and earlier conversations. */
export function HomeScreen(): VNode {
  const { chat, partTexts, options } = usePanel();
  const texts = partTexts('home', HOME_TEXTS);
  const { hours, welcome } = options.value;
  const { data, readPast } = useHomeData();
  const { services, search, past = [] } = data.value ?? {};
  useLeaveWithWords();
  const reading = useSignal<PastConversation | null>(null);
  const article = useSignal<HelpArticle | null>(null);
  const isReading = reading.value !== null || article.value !== null;
  const opener = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (!isReading) opener.current?.focus();
  }, [isReading]);
  const list = services && past.length > 0 && (
    <PastList
      past={past}
      // Below them, the articles that are read most stay in view.
      shownAtFirst={search && search.popular.length > 0 ? 1 : 3}
      texts={texts}
      services={services}
      onOpen={(one, button) => {
        opener.current = button;
        reading.value = one;
      }}
      onChange={readPast}
    />
  );
  return (
    <>
      {reading.value && <PastScreen past={reading.value} onBack={() => (reading.value = null)} />}
      {services && article.value && (
        <ArticleScreen article={article.value} services={services} onBack={() => (article.value = null)} />
      )}
      <div class="home" hidden={isReading} aria-busy={data.value === null}>
        <section
          class="home-body"
          aria-labelledby="home-title"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
          tabIndex={0}
        >
          {data.value && (
            <>
              <h3 id="home-title" class="home-title" dir="auto">
                {welcome || texts.greeting}
              </h3>
              {hours && <Hours hours={hours} />}
              {services && search ? (
                <HelpSearch
                  services={services}
                  search={search}
                  texts={texts}
                  onOpen={(one, button) => {
                    opener.current = button;
                    article.value = one;
                  }}
                >
                  {list}
                </HelpSearch>
              ) : (
                list
              )}
            </>
          )}
        </section>
        <div class="footer">
          {chat.survey.value && <OpenSurvey />}
          <WriteButton texts={texts} isRunning={countWritten(chat) > 0} />
        </div>
      </div>
    </>
  );
}

/** Shows the conversation as soon as it has a new message of the visitor, or its composer another draft. */
function useLeaveWithWords(): void {
  const { chat, leaveHome } = usePanel();
  const before = useRef({ count: countWritten(chat), unsent: chat.unsent.peek() });
  useSignalEffect(() => {
    const { count, unsent } = before.current;
    const isPrefilled = chat.unsent.value !== '' && chat.unsent.value !== unsent;
    if (isPrefilled || countWritten(chat) > count) leaveHome();
  });
}

function Hours({ hours }: { readonly hours: string }): VNode | null {
  const part = useLazyPart(usePanel().parts.hours);
  return part && <part.OpeningLine hours={hours} />;
}

/** The survey of the conversation that has just ended, which can also be answered here. */
function OpenSurvey(): VNode | null {
  const part = useLazyPart(usePanel().parts.survey);
  return part && <part.Survey />;
}

function WriteButton(props: { readonly texts: HomeTexts; readonly isRunning: boolean }): VNode {
  const { texts, isRunning } = props;
  const { chat, leaveHome, isOver } = usePanel();
  const unread = chat.unread.value;
  return (
    <button type="button" class="button primary home-write" onClick={leaveHome}>
      {isRunning && !isOver.value ? texts.goOn : texts.write}
      {unread > 0 && <span class="home-unread">{unread}</span>}
    </button>
  );
}
