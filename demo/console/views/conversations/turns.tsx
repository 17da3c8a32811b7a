import type { ConversationTurn } from '@natter/sdk';
import type { VNode } from 'preact';
import { Badge, EmptyState, Facts, formatSeconds, Time } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown.tsx';
import type { Feedback } from './feedback.ts';
import { toFacts } from './to-facts.ts';

/** The agent's state after the turns that have changed it. */
export type TurnStates = Readonly<Record<number, Readonly<Record<string, unknown>>>>;

/**
 * The turns of a conversation: what was said, how long the answer took, what was found in it, what was thought of it, and the
 * agent's state after it where that has changed.
 */
export function Turns({
  turns,
  feedback,
  states,
}: {
  turns: readonly ConversationTurn[];
  /** By the number of its turn, from 1; so are the states. */
  feedback: ReadonlyMap<number, Feedback>;
  states: TurnStates;
}): VNode {
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
          <Thought feedback={feedback.get(index + 1)} />
          <State state={states[index + 1]} />
        </li>
      ))}
    </ol>
  );
}

function Thought({ feedback }: { feedback: Feedback | undefined }): VNode | null {
  if (feedback === undefined) return null;
  const { rating, reason } = feedback;
  return (
    <div class="turn-feedback">
      <Badge tone={rating === 'up' ? 'good' : 'danger'}>thumbs {rating}</Badge>
      {reason !== '' && <p dir="auto">{reason}</p>}
    </div>
  );
}

function State({ state }: { state: TurnStates[number] | undefined }): VNode | null {
  if (state === undefined) return null;
  return (
    <details class="turn-state">
      <summary>State after this turn</summary>
      <Facts facts={toFacts(state)} />
    </details>
  );
}
