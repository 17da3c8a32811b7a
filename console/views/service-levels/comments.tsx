import type { VNode } from 'preact';
import { hrefOf } from '../../location.ts';
import { Badge, Card, Time } from '../../ui/index.ts';

/** What a visitor wrote beside the survey's score. */
export interface Comment {
  readonly conversation_id: string;
  readonly project: string;
  readonly score: number;
  readonly text: string;
  readonly at: string;
}

/** The newest comments; nothing where there are none, or none may be read. */
export function Comments({ comments }: { comments: readonly Comment[] }): VNode | null {
  if (comments.length === 0) return null;
  return (
    <Card title="Comments">
      <ul class="levels-comments">
        {comments.map(({ conversation_id: id, project, score, text, at }) => (
          <li key={id}>
            <Badge tone={score >= 4 ? 'good' : 'neutral'}>{score} of 5</Badge>
            <div class="grow">
              <p dir="auto">{text}</p>
              <a href={hrefOf(`/conversations/${encodeURIComponent(id)}`, { project })}>
                Conversation that ended <Time at={at} />
              </a>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
