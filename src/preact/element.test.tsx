import { createRef, render } from 'preact';
import { expect, it } from 'vitest';
import '../embed/element.ts';
import type { NatterChatElement } from '../embed/index.ts';

it('types <natter-chat> with its attributes, and rejects others', () => {
  const place = document.body.appendChild(document.createElement('main'));
  const ref = createRef<NatterChatElement>();
  render(
    <>
      <natter-chat
        ref={ref}
        endpoint="https://chat.example"
        agent-name="Ada"
        auto-open="false"
        class="help"
      />
      {/* @ts-expect-error There is no such theme. */}
      <natter-chat theme="blue" />
      {/* @ts-expect-error There is no such attribute. */}
      <natter-chat agent="Ada" />
    </>,
    place,
  );
  expect(ref.current?.widget).toBeTruthy();
  expect(ref.current).toMatchObject({ agentName: 'Ada', autoOpen: false, className: 'help' });
  render(null, place);
  place.remove();
});
