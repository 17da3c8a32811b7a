import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import type { Chat, Speaker } from '../../../client/index.ts';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';

/** Above the composer after the end of a conversation: the survey, the reason, and a button that clears the transcript. */
export function EndedLines(): VNode | null {
  const { chat, strings, nameOf, focusComposer, parts } = usePanel();
  const session = chat.session.value;
  const by = session.status === 'ended' ? session.by : null;
  const speaker = findLastSpeaker(chat.messages.value) ?? chat.speaker.value;
  const sentence = {
    user: strings.value.endedByUser,
    agent: fill(strings.value.endedByAgent, { name: nameOf(speaker) }),
    inactivity: strings.value.endedByInactivity,
    platform: strings.value.ended,
    expired: strings.value.failedExpired,
  }[by ?? 'expired'];
  useSignalEffect(() => {
    if (chat.survey.value) parts.survey.load();
  });
  const code = parts.survey.code.value;
  const start = () => {
    void chat.newChat().then(focusComposer);
  };
  return (
    <div class="ended">
      {code && <code.Survey />}
      <p>
        {sentence}{' '}
        <button type="button" class="text-button" onClick={start}>
          {strings.value.newChat}
        </button>
      </p>
    </div>
  );
}

const UNSEEN = { id: null, avatarUrl: null } as const;

/**
 * The person or agent who wrote or joined last, or undefined. It cannot be the present speaker, because a person
 * leaves before the chat ends.
 */
function findLastSpeaker(messages: Chat['messages']['value']): Speaker | undefined {
  for (const { value } of messages.toReversed()) {
    if (value.kind === 'agent') return value.speaker;
    if (value.kind !== 'system') continue;
    const { notice } = value;
    if (notice.code === 'live_agent_joined') return { ...UNSEEN, kind: 'live_agent', name: notice.name };
    if (notice.code === 'agent_joined') return { ...UNSEEN, kind: 'agent', name: notice.name };
  }
  return undefined;
}
