import type { VNode } from 'preact';
import { hrefOf } from '../../location.ts';
import { Card, EmptyState } from '../../ui/index.ts';
import type { Overview } from './overview-types.ts';

/** Questions that the agent could not answer, grouped: each group may need an article. */
export function Topics({ topics }: { topics: Overview['topics'] }): VNode {
  return (
    <Card title="Unanswered questions">
      {topics.length === 0 ? (
        <EmptyState title="No unanswered questions" icon="check" />
      ) : (
        <ul class="topics">
          {topics.map(({ question: asked, count, questions }) => (
            <li key={`${asked} ${questions[0]?.id}`}>
              <details>
                <summary>
                  <strong dir="auto">{asked}</strong> <span class="badge">{count}</span>
                </summary>
                <ul>
                  {questions.map(({ question, id }) => (
                    <li key={`${id} ${question}`} class="topic-question">
                      <a href={hrefOf(`/conversations/${encodeURIComponent(id)}`)} dir="auto">
                        {question}
                      </a>
                      <a
                        class="quiet"
                        href={hrefOf('/knowledge/new', { question })}
                        aria-label={`Write an article that answers: ${question}`}
                      >
                        write an article
                      </a>
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
