import type { ReadonlySignal } from '@preact/signals-core';
import type { VNode } from 'preact';
import type { Speaker, TranscriptItem } from '../../../client/index.ts';
import { hasFeature } from '../../has-feature.ts';
import { isDemonstration } from '../../is-demonstration.ts';
import { fill } from '../../locales/fill.ts';
import { useThrottledSignal } from '../../signals/use-throttled-signal.ts';
import { Avatar } from '../avatar.tsx';
import { CopyButton } from '../copy-button.tsx';
import { useLazyPart, usePanel } from '../model/panel-model.ts';
import { Attachments, Sources } from './attachments.tsx';
import { MessageText } from './message-text.tsx';
import { MessageTime } from './message-time.tsx';

/** A message of the agent or of a person. */
export function AgentMessage({ item: source }: { item: ReadonlySignal<TranscriptItem> }): VNode | null {
  const { chat, strings, nameOf, options, parts } = usePanel();
  // Chunks come faster than frames.
  const item = useThrottledSignal(source, isFinished).value;
  if (item.kind !== 'agent') return null;
  const name = nameOf(item.speaker);
  // Without this part, the text is copied as it is shown.
  const read = () => parts.markdown.code.peek()?.readText(item.text, item) ?? item.text;
  return (
    <div
      class={item.speaker.kind === 'live_agent' ? 'message agent person' : 'message agent'}
      part="message agent-message"
      data-streaming={item.isStreaming}
    >
      <span class="sr">{fill(strings.value.says, { name })} </span>
      {item.text !== '' && <MessageText {...item} />}
      <Attachments attachments={item.attachments} actions={item.callActions} />
      <Sources attachments={item.attachments} actions={item.callActions} />
      {item.isStopped && <p class="stopped">{strings.value.answerStopped}</p>}
      {!item.isStreaming && (
        <div class="tools">
          <MessageTime atMs={item.atMs} />
          {item.text !== '' && <CopyButton label={strings.value.copyMessage} read={read} />}
        </div>
      )}
      {hasFeature(options.value, 'feedback') &&
        chat.canGiveFeedback.value &&
        item.speaker.kind === 'agent' &&
        item.messageId !== '' && <Feedback item={item} />}
    </div>
  );
}

/** The rating of an answer. Its code loads while the answer streams. */
function Feedback({ item }: { item: Extract<TranscriptItem, { kind: 'agent' }> }): VNode | null {
  const part = useLazyPart(usePanel().parts.feedback);
  return part && !item.isStreaming ? <part.FeedbackRow item={item} /> : null;
}

const isFinished = (item: TranscriptItem): boolean => item.kind !== 'agent' || !item.isStreaming;

/** Name and avatar, above the first message after another speaker's. */
export function SpeakerLine({ speaker }: { speaker: Speaker | null }): VNode | null {
  const { strings, nameOf } = usePanel();
  const isPerson = speaker?.kind === 'live_agent';
  return (
    <div class="speaker">
      <Avatar speaker={speaker} />
      {/* Each message repeats the name for screen readers. */}
      <bdi aria-hidden="true">{nameOf(speaker)}</bdi>
      <span class={isPerson ? 'tag person' : 'tag'}>
        {strings.value[isDemonstration(speaker) ? 'demonstration' : isPerson ? 'tagPerson' : 'tagAgent']}
      </span>
    </div>
  );
}
