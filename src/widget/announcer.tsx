import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { announce } from './announce.ts';
import { appendSentence, type Sentence } from './append-sentence.ts';
import { usePanel } from './panel-model.ts';

/** The one live region of the panel. */
export function Announcer(): VNode {
  const model = usePanel();
  const said = useSignal<readonly Sentence[]>([]);
  useLayoutEffect(
    () =>
      announce(model, (text) => {
        if (text) said.value = appendSentence(said.peek(), text);
      }),
    [model, said],
  );
  return (
    <div class="sr" aria-live="polite">
      {said.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
