import type { ConversationTurn } from '@natter/sdk';
import type { VNode } from 'preact';
import { Badge, DescriptionList, EmptyState, formatSeconds, Time } from '../../ui/index.ts';
import { LinkedText } from '../../ui/markdown/linked-text.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Attachments } from '../desk/attachments.tsx';
import { type Line, readVisitorText } from '../desk/read-transcript.ts';
import type { Feedback } from './feedback.ts';
import { listVariables } from './list-variables.ts';
import type { StoryItem } from './merge-story.ts';

/** The agent's state after the turns that have changed it. */
export type TurnStates = Readonly<Record<number, Readonly<Record<string, unknown>>>>;

/**
 * A conversation in order. Of each turn: messages, latency, intents, ratings of
 * it, and the agent's state after it where that has changed.
 */
export function Story({
  story,
  feedback,
  states,
}: {
  story: readonly StoryItem[];
  /** By the number of its turn, from 1; so are the states. */
  feedback: ReadonlyMap<number, Feedback>;
  states: TurnStates;
}): VNode {
  if (story.length === 0)
    return (
      <EmptyState title="There are no turns.">
        The conversation had none, or retention removed them.
      </EmptyState>
    );
  return (
    <ol class="turns">
      {story.map((item) => (
        <li key={item.key} data-kind={item.kind}>
          {item.kind === 'turn' ? (
            <Turn turn={item.turn} feedback={feedback.get(item.number)} state={states[item.number]} />
          ) : item.kind === 'line' ? (
            <LineOf line={item.line} />
          ) : (
            <div class="turn-note">
              <Said name={`Note of ${item.note.person_name}`} at={item.note.created_at} />
              <LinkedText text={item.note.text} />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

function Said({ name, at }: { name: string; at: string }): VNode {
  return (
    <small>
      {name} {at !== '' && <Time at={at} format={{ timeStyle: 'medium' }} />}
    </small>
  );
}

function LineOf({ line: { author, name, text, attachments, at } }: { line: Line }): VNode {
  if (author === 'notice')
    return (
      <p class="turn-notice">
        {text} <Time at={at} format={{ timeStyle: 'medium' }} />
      </p>
    );
  return (
    <div class={author === 'visitor' ? 'turn-user' : 'turn-agent'}>
      <Said name={name} at={at} />
      {text !== '' && (author === 'visitor' ? <LinkedText text={text} /> : <Markdown text={text} />)}
      <Attachments attachments={attachments} />
    </div>
  );
}

function Turn({
  turn,
  feedback,
  state,
}: {
  turn: ConversationTurn;
  feedback: Feedback | undefined;
  state: TurnStates[number] | undefined;
}): VNode {
  const { text, attachments } = readVisitorText(turn.user_input);
  return (
    <>
      {turn.user_input !== '' && (
        <div class="turn-user">
          <Said name="Visitor" at={turn.user_input_datetime} />
          {text !== '' && <LinkedText text={text} />}
          <Attachments attachments={attachments} />
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
      <Thought feedback={feedback} />
      <State state={state} />
    </>
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
      <DescriptionList items={listVariables(state)} />
    </details>
  );
}
