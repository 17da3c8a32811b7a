import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { usePanel } from '../model/panel-model.ts';
import { fill } from '../strings/fill.ts';

/** Replaces the composer after the end of a conversation: the reason, the survey and a button for a new chat. */
export function EndedBar(): VNode | null {
  const { chat, strings, nameOf, focusComposer, parts } = usePanel();
  const session = chat.session.value;
  const by = session.status === 'ended' ? session.by : null;
  // The last speaker, because a person has already left when the chat ends.
  const last = chat.messages.value.findLast(({ value }) => value.kind === 'agent')?.value;
  const speaker = last?.kind === 'agent' ? last.speaker : chat.speaker.value;
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
    <footer class="footer ended">
      <p>{sentence}</p>
      {code && <code.Survey />}
      <button
        type="button"
        class={chat.survey.value?.status === 'open' ? 'button quiet' : 'button primary'}
        onClick={start}
      >
        {strings.value.newChat}
      </button>
    </footer>
  );
}
