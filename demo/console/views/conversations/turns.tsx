import type { ConversationTurn } from '@natter/sdk';
import type { VNode } from 'preact';
import { Badge, EmptyState, formatSeconds, Time } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown.tsx';

/** The turns of a conversation: what was said, how long the answer took, what was found in it, and what was thought of it. */
export function Turns({ turns }: { turns: readonly ConversationTurn[] }): VNode {
  if (turns.length === 0)
    return (
      <EmptyState title="There are no turns.">None was held, or they were removed by retention.</EmptyState>
    );
  return (
    <ol class="turns">
      {turns.map((turn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns have no other name, and none moves
        <li key={index}>
          {turn.user_input !== '' && (
            <div class="turn-user">
              <small>
                Visitor{' '}
                {turn.user_input_datetime !== '' && (
                  <Time at={turn.user_input_datetime} format={{ timeStyle: 'medium' }} />
                )}
              </small>
              <p dir="auto">{turn.user_input}</p>
            </div>
          )}
          {turn.agent_response !== '' && (
            <div class="turn-agent">
              <small>Agent</small>
              <Markdown text={turn.agent_response} />
            </div>
          )}
          <p class="turn-facts">
            {turn.latency !== undefined && <Badge>answered in {formatSeconds(turn.latency)}</Badge>}
            {turn.intents.map((intent) => (
              <Badge key={intent} tone="accent">
                {intent}
              </Badge>
            ))}
            {Object.entries(turn.entities).map(([name, value]) => (
              <Badge key={name}>
                {name}: {[value].flat().join(', ')}
              </Badge>
            ))}
            {turn.is_ood && <Badge tone="warning">not answered</Badge>}
            {turn.is_silence && <Badge>silence</Badge>}
            {turn.barge_in && <Badge>interrupted</Badge>}
          </p>
        </li>
      ))}
    </ol>
  );
}
