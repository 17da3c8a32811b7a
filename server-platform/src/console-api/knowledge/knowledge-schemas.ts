import * as v from 'valibot';

const text = (most: number, least = 0) =>
  v.pipe(
    v.string('must be a text'),
    v.minLength(least, 'must not be empty'),
    v.maxLength(most, `must have at most ${most} characters`),
  );
const texts = (entries: number, characters: number) =>
  v.pipe(
    v.array(text(characters, 1), 'must be a list of texts'),
    v.maxLength(entries, `must have at most ${entries} entries`),
  );
const named = <const Entries extends v.ObjectEntries>(name: string, entries: Entries) =>
  v.pipe(v.object(entries), v.metadata({ name }));
const number = v.pipe(
  v.number('must be a number'),
  v.integer('must be a whole number'),
  v.minValue(0, 'must be at least 0'),
);

const ARTICLE = {
  title: text(200, 1),
  category: v.nullable(text(100, 1)),
  keywords: texts(300, 100),
  questions: texts(100, 300),
  suggestions: texts(20, 300),
  /** Whether the help site has a page of it, which answers then lead to. */
  has_page: v.boolean('must be true or false'),
  /** Markdown. */
  body: v.pipe(v.string('must be a text'), v.maxLength(40_000, 'must have at most 40000 characters')),
};

/** An article as it is edited. */
export const articleView = named('ConsoleArticle', ARTICLE);
export type ArticleFields = v.InferOutput<typeof articleView>;

/** Which agent of the project; left out: the first one. */
export const agentQuery = v.object({ agent: v.optional(v.string()) });
export type AgentQuery = v.InferOutput<typeof agentQuery>;

/** The version that the change is based on; another version in the database is a conflict (409). Null: the article must be new. */
export const publishBody = v.object({ base: v.nullable(number), article: v.object(ARTICLE) });
export const deleteBody = v.object({ base: number });
/** 0: the article of the file. */
export const restoreBody = v.object({ base: number, number });

const draft = v.optional(v.nullable(v.object({ slug: text(100, 1), ...ARTICLE })), null);
export const answerBody = v.object({
  /** A visitor's messages in order. The response contains the answer to the last one. */
  questions: v.pipe(
    v.array(text(2_000, 1), 'must be a list of texts'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(10, 'must have at most 10 entries'),
  ),
  language: v.optional(text(20, 2), 'en'),
  draft,
});
export const evaluationBody = v.object({ draft });
export type Draft = v.InferOutput<typeof evaluationBody>['draft'];

const runEntries = {
  id: v.number(),
  at: v.string(),
  by: v.string(),
  draft_slug: v.nullable(v.string()),
  total: v.number(),
  passed: v.number(),
};
const runView = named('ConsoleEvaluationRun', runEntries);

/** The articles of an agent. */
export const knowledgeView = v.object({
  /** Agents that answer in the project and whose articles can be edited. */
  agents: v.array(v.object({ name: v.string(), shown_name: v.string() })),
  agent: v.string(),
  articles: v.array(
    named('ConsoleArticleRow', {
      slug: v.string(),
      title: v.string(),
      category: v.nullable(v.string()),
      /** `file`: as in the configuration; `edited`: in its place; `added`: there is no file; `deleted`. */
      state: v.picklist(['file', 'edited', 'added', 'deleted']),
      changed_at: v.nullable(v.string()),
      changed_by: v.nullable(v.string()),
    }),
  ),
  evaluation: v.object({ conversations: v.number(), runs: v.array(runView) }),
});

export const articleAnswer = v.object({
  slug: v.string(),
  /** Null: it is deleted. */
  article: v.nullable(articleView),
  state: v.picklist(['file', 'edited', 'added', 'deleted']),
  /** Of the version that counts; 0: the file's. */
  number: v.number(),
  has_file: v.boolean(),
  versions: v.array(
    named('ConsoleArticleVersion', {
      number: v.number(),
      kind: v.picklist(['published', 'deleted', 'file']),
      restored_from: v.nullable(v.number()),
      at: v.string(),
      by: v.string(),
    }),
  ),
});

/** The agent's answer, and the reasons for it. */
export const trialView = v.object({
  text: v.string(),
  intent: v.nullable(v.string()),
  hands_off: v.boolean(),
  suggestions: v.array(v.string()),
  sources: v.array(v.object({ title: v.nullable(v.string()), url: v.nullable(v.string()) })),
  milliseconds: v.number(),
  /** Null: the agent has no articles. */
  certainty: v.nullable(v.picklist(['confident', 'unknown'])),
  articles: v.array(v.object({ slug: v.string(), title: v.string(), confidence: v.number() })),
  /** Of the nearest article. */
  passages: v.array(
    v.object({
      heading: v.nullable(v.string()),
      text: v.string(),
      score: v.number(),
      /** Whether the answer holds it. */
      is_said: v.boolean(),
    }),
  ),
});

const failureEntries = {
  category: v.string(),
  say: v.array(v.string()),
  answer: v.string(),
  problems: v.array(v.string()),
};

/** An evaluation beside the one before it. */
export const evaluationView = v.object({
  run: runView,
  before: v.nullable(runView),
  failures: v.array(
    /** `is_new`: it was passed, or not there, in the run before. Null: there is none. */
    named('ConsoleEvaluationFailure', { ...failureEntries, is_new: v.nullable(v.boolean()) }),
  ),
  /** Conversations that failed in the previous run and pass now. */
  fixed: v.array(v.object({ category: v.string(), say: v.array(v.string()) })),
});
