import type { ReadonlySignal } from '@preact/signals-core';
import type { Speaker, TranscriptItem } from '../client/index.ts';
import { Attachments, Sources } from './attachments.tsx';
import { CallActions } from './call-actions.tsx';
import { CopyButton } from './copy-button.tsx';
import { Face } from './face.tsx';
import { RichText } from './markdown/rich-text.tsx';
import { usePanel } from './panel-model.ts';
import { TimeOf } from './time-of.tsx';
import { type View, view } from './view.ts';
import { readText } from './write-transcript.ts';

/** One message of the agent or of a person: plain on the surface, as wide as the column. */
export const AgentMessage: View<{ item: ReadonlySignal<TranscriptItem> }> = view(({ item: source }) => {
  const { strings, agentName } = usePanel();
  const item = source.value;
  if (item.kind !== 'agent') return null;
  const name = item.speaker.name ?? agentName.value;
  return (
    <div
      class="message agent"
      data-author={item.speaker.kind}
      data-streaming={item.isStreaming}
      data-key={item.key}
    >
      <span class="sr">{strings.value.says.replace('{name}', name)} </span>
      {item.text !== '' && <RichText text={item.text} isStreaming={item.isStreaming} />}
      <Attachments attachments={item.attachments} />
      <CallActions actions={item.callActions} />
      <Sources attachments={item.attachments} />
      {!item.isStreaming && (
        <div class="tools">
          <TimeOf atMs={item.atMs} />
          {item.text !== '' && (
            <CopyButton label={strings.value.copyMessage} read={() => readText(item.text)} />
          )}
        </div>
      )}
    </div>
  );
});

/** Name and face, once above everything that a speaker says in a row. */
export const SpeakerLine: View<{ speaker: Speaker | null }> = view(({ speaker }) => {
  const { strings, agentName, options } = usePanel();
  const isPerson = speaker?.kind === 'live_agent';
  const name = speaker?.name ?? agentName.value;
  return (
    <div class="speaker" aria-hidden="true">
      <Face
        kind={isPerson ? 'live_agent' : 'agent'}
        name={name}
        avatarUrl={speaker?.avatarUrl ?? (isPerson ? null : options.value.avatarUrl)}
        size={24}
      />
      <bdi class="speaker-name">{name}</bdi>
      <span class={isPerson ? 'tag person' : 'tag'}>
        {isPerson ? strings.value.tagPerson : strings.value.tagAgent}
      </span>
    </div>
  );
});
