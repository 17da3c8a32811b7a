import type { VNode } from 'preact';
import type { ServiceLevels } from '../../../server-platform/src/console-api/index.ts';
import { hrefOf } from '../../location.ts';
import { Badge, Card, Time } from '../../ui/index.ts';

/** The newest comments; nothing where there are none, or none may be read. */
export function Comments({ comments }: Pick<ServiceLevels, 'comments'>): VNode | null {
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
