import type { VNode } from 'preact';
import type { ViewProps } from '../../views.ts';
import { ArticleList } from './article-list.tsx';
import { ArticlePage, NewArticle } from './article-page.tsx';
import { EvaluationPage } from './evaluation-page.tsx';
import './knowledge.css';

/** The agent's articles, one article, and the results of its evaluation. */
export function KnowledgeView({ rest }: ViewProps): VNode {
  const [part, ...names] = rest.split('/');
  // The name of a translated article holds a slash: `de/fees`.
  const name = names.join('/');
  if (part === 'new') return <NewArticle />;
  if (part === 'articles' && name !== '') return <ArticlePage key={name} slug={name} />;
  if (part === 'evaluation') return <EvaluationPage id={name} />;
  return <ArticleList />;
}
