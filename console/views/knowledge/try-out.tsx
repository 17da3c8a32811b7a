import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { Badge, Button, Card, Progress, TextField } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import type { Draft, Trial } from './knowledge-types.ts';
import type { Scope } from './scope.ts';

const CERTAINTIES = {
  confident: ['Confident', 'good'],
  unknown: ['No answer', 'danger'],
} as const;

type Result =
  | { readonly kind: 'asking' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'answered'; readonly trial: Trial; readonly draft: string };

/** Asks the agent, with the draft in place of the article of its name. Nothing is recorded. */
export function TryOut({
  scope,
  draft,
  questions,
  begin,
  onAdd,
}: {
  scope: Scope;
  draft: Draft | null;
  /** Questions that the article claims to answer. */
  questions: readonly string[];
  /** Asked at once. */
  begin: string;
  onAdd: (question: string) => void;
}): VNode {
  const [words, setWords] = useState(begin);
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [result, setResult] = useState<Result | null>(null);
  const written = JSON.stringify(draft);
  const ask = async (next: readonly string[]): Promise<void> => {
    setAsked(next);
    setResult({ kind: 'asking' });
    // A draft without text is not an article yet: the agent answers without it.
    const isReady = draft !== null && draft.title.trim() !== '' && draft.body.trim() !== '';
    try {
      const body = { questions: next, draft: isReady ? draft : null };
      const trial = await callConsole<Trial>('POST', scope.pathOf('/answer'), { body });
      setResult({ kind: 'answered', trial, draft: written });
    } catch (error) {
      setResult({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  const start = (question: string): void => {
    setWords(question);
    if (question.trim() !== '') void ask([question.trim()]);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page was opened with, once
  useEffect(() => start(begin), []);
  const last = asked.at(-1);
  return (
    <Card title="What would the agent answer?">
      <form
        class="knowledge-try-form"
        onSubmit={(event) => {
          event.preventDefault();
          start(words);
        }}
      >
        <TextField
          label="Visitor message"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <div class="toolbar">
          <Button type="submit" kind="main" isBusy={result?.kind === 'asking'}>
            Ask
          </Button>
          {result?.kind === 'answered' && (
            <Button onClick={() => void ask([...asked, words.trim() || '?'].slice(-10))}>
              Ask as a follow-up
            </Button>
          )}
          {last !== undefined && !questions.includes(last) && (
            <Button onClick={() => onAdd(last)}>Add to questions</Button>
          )}
        </div>
      </form>
      {questions.length > 0 && (
        <ul class="knowledge-chips" aria-label="Questions in this article">
          {questions.slice(0, 6).map((question) => (
            <li key={question}>
              <button type="button" onClick={() => start(question)}>
                {question}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="knowledge-try-result" aria-live="polite">
        {asked.length > 1 && <p class="quiet">After: {asked.slice(0, -1).join(' / ')}</p>}
        {result?.kind === 'asking' && <Progress label="Asking" />}
        {result?.kind === 'failed' && <p role="alert">{result.message}</p>}
        {result?.kind === 'answered' && (
          <>
            {result.draft !== written && (
              <p class="knowledge-try-old">
                <span class="grow">The draft has changed.</span>
                <Button icon="refresh" onClick={() => void ask(asked)}>
                  Ask again
                </Button>
              </p>
            )}
            <Answer trial={result.trial} scope={scope} draftSlug={draft?.slug ?? null} />
          </>
        )}
      </div>
    </Card>
  );
}

function Answer({
  trial,
  scope,
  draftSlug,
}: {
  trial: Trial;
  scope: Scope;
  draftSlug: string | null;
}): VNode {
  const { certainty, intent, milliseconds, text, sources, suggestions, passages, articles } = trial;
  const said = certainty === null ? null : CERTAINTIES[certainty];
  return (
    <>
      <p class="knowledge-try-facts">
        {said !== null && <Badge tone={said[1]}>{said[0]}</Badge>}
        {trial.hands_off && <Badge tone="warning">Hands off to your team</Badge>}
        {intent !== null && <Badge>{intent}</Badge>}
        <small>{milliseconds.toLocaleString()} ms</small>
      </p>
      <div class="knowledge-try-answer">
        {text.trim() === '' ? <p class="quiet">No answer.</p> : <Markdown text={text} />}
        {sources.map(({ title, url }) =>
          url === null ? (
            <span key={title}>{title}</span>
          ) : (
            <a key={url} href={url} target="_blank" rel="noreferrer">
              {title ?? url}
            </a>
          ),
        )}
      </div>
      {suggestions.length > 0 && <p class="quiet">Offers: {suggestions.join(' · ')}</p>}
      {articles.length > 0 && (
        <details open>
          <summary>Closest articles</summary>
          <ol class="knowledge-try-near">
            {articles.map(({ slug, title, confidence }) => (
              <li key={slug}>
                <a class="grow" href={scope.linkTo(`/articles/${slug}`)}>
                  {title}
                </a>
                {slug === draftSlug && <Badge tone="warning">this draft</Badge>}
                <Share value={confidence} label={`Match for ${title}`} />
              </li>
            ))}
          </ol>
        </details>
      )}
      {passages.length > 0 && (
        <details>
          <summary>Passages of {articles[0]?.title}</summary>
          <ol class="knowledge-try-passages">
            {passages.map((passage) => (
              <li key={passage.text}>
                <p class="knowledge-try-facts">
                  {passage.is_said && <Badge tone="good">in the answer</Badge>}
                  <span class="quiet grow">{passage.heading ?? 'Introduction'}</span>
                  <Share value={passage.score} label="Match with the question" />
                </p>
                <Markdown text={passage.text} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function Share({ value, label }: { value: number; label: string }): VNode {
  const percent = Math.round(100 * Math.min(1, value));
  return (
    <span class="knowledge-share">
      <meter aria-label={label} min={0} max={100} value={percent} />
      <small>{percent} %</small>
    </span>
  );
}
