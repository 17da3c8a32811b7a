import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { fill } from '../../locales/fill.ts';
import { useDelayedValue } from '../../signals/use-delayed-value.ts';
import { usePanel } from '../model/panel-model.ts';
import { SpeakerLine } from './agent-message.tsx';
import { speakerKey } from './select-rows.ts';

/**
 * Typing indicator. The dots are where the first line of the message will be, below the same name, so that the message
 * replaces them without a jump. Source: IND-1.
 */
export function TypingLine(): VNode | null {
  const { chat, nameOf, strings } = usePanel();
  const shown = useDelayedValue(() => (chat.typing.value ? 'typing' : null), 0);
  const continues = useComputed(() => {
    const { value: typing } = chat.typing;
    const last = typing && chat.messages.value.findLast((entry) => entry.peek().kind === 'agent')?.peek();
    return last?.kind === 'agent' && typing && speakerKey(last.speaker) === speakerKey(typing.speaker);
  });
  const typing = chat.typing.value;
  if (shown.value === null || !typing) return null;
  return (
    <div class="group agent">
      {!continues.value && <SpeakerLine speaker={typing.speaker} />}
      <div class="typing">
        <span class="sr">{fill(strings.value.typing, { name: nameOf(typing.speaker) })}</span>
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}
