import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useQuery } from '../../query.ts';
import { Button, CheckField, TextArea, TextField } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { readList, toSlug } from './drafts.ts';
import type { Article, Knowledge } from './knowledge-types.ts';
import type { Scope } from './scope.ts';

/** The fields of an article, and its text as visitors see it. */
export function ArticleFields({
  article,
  slug,
  canRename,
  onEdit,
  scope,
}: {
  article: Article;
  slug: string;
  canRename: boolean;
  onEdit: (article: Article, slug?: string) => void;
  scope: Scope;
}): VNode {
  const set = (fields: Partial<Article>): void => onEdit({ ...article, ...fields });
  return (
    <form class="knowledge-article-fields" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label="Title"
        value={article.title}
        required
        onInput={({ currentTarget }) => set({ title: currentTarget.value })}
      />
      {canRename && (
        <TextField
          key={slug}
          label="URL slug"
          defaultValue={slug}
          hint="Lowercase words joined by hyphens, after de/ for German and so on. Can’t be changed later."
          onChange={({ currentTarget }) => onEdit(article, toSlug(currentTarget.value))}
        />
      )}
      <Text body={article.body} onEdit={(body) => set({ body })} />
      <ListField
        label="Questions it answers"
        hint="One per line, in visitors’ own words. They matter most for finding the article."
        list={article.questions}
        separator={'\n'}
        onEdit={(questions) => set({ questions })}
      />
      <ListField
        label="Keywords"
        hint="Separate with commas."
        list={article.keywords}
        separator=","
        onEdit={(keywords) => set({ keywords })}
      />
      <ListField
        label="Suggested follow-ups"
        hint="Questions visitors can tap below the answer, one per line."
        list={article.suggestions}
        separator={'\n'}
        onEdit={(suggestions) => set({ suggestions })}
      />
      <CategoryField value={article.category ?? ''} onEdit={(category) => set({ category })} scope={scope} />
      <CheckField
        label="Published on the help site: answers include a card that links to it"
        checked={article.has_page}
        onChange={(hasPage) => set({ has_page: hasPage })}
      />
    </form>
  );
}

/** The text, written or as it looks. */
function Text({ body, onEdit }: { body: string; onEdit: (body: string) => void }): VNode {
  const [isPreview, setPreview] = useState(false);
  return (
    <div class="knowledge-article-text">
      <fieldset class="knowledge-segments">
        <legend class="unseen">View</legend>
        <Button kind="plain" aria-pressed={!isPreview} onClick={() => setPreview(false)}>
          Write
        </Button>
        <Button kind="plain" aria-pressed={isPreview} onClick={() => setPreview(true)}>
          Preview
        </Button>
      </fieldset>
      {isPreview ? (
        <section class="knowledge-article-preview" aria-label="Preview">
          {body.trim() === '' ? <p class="quiet">No text yet.</p> : <Markdown text={body} />}
        </section>
      ) : (
        <TextArea
          label="Text"
          hint="Markdown. The first paragraph is the short answer. Use headings for subtopics."
          rows={16}
          value={body}
          onInput={({ currentTarget }) => onEdit(currentTarget.value)}
        />
      )}
    </div>
  );
}

/** A list edited as one text. The typed text stays unchanged until the field loses focus. */
function ListField({
  label,
  hint,
  list,
  separator,
  onEdit,
}: {
  label: string;
  hint: string;
  list: readonly string[];
  separator: '\n' | ',';
  onEdit: (list: readonly string[]) => void;
}): VNode {
  const join = (texts: readonly string[]): string => texts.join(separator === ',' ? ', ' : '\n');
  const [text, setText] = useState(join(list));
  const isSame = JSON.stringify(readList(text, separator)) === JSON.stringify(list);
  const shown = isSame ? text : join(list);
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={separator === ',' ? 2 : Math.min(8, Math.max(2, list.length + 1))}
      value={shown}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value);
        onEdit(readList(currentTarget.value, separator));
      }}
    />
  );
}

function CategoryField({
  value,
  onEdit,
  scope,
}: {
  value: string;
  onEdit: (category: string | null) => void;
  scope: Scope;
}): VNode {
  const { data } = useQuery<Knowledge>({
    queryKey: ['knowledge', scope.key],
    queryFn: ({ signal }) => callConsole<Knowledge>('GET', scope.pathOf(''), { signal }),
  });
  const known = [...new Set(data?.articles.flatMap(({ category }) => category ?? []))].sort();
  return (
    <>
      <TextField
        label="Category"
        value={value}
        list="article-categories"
        onInput={({ currentTarget }) =>
          onEdit(currentTarget.value.trim() === '' ? null : currentTarget.value)
        }
      />
      <datalist id="article-categories">
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
