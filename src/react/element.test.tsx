/** @jsxImportSource react */
import { createRef } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import '../embed/element.ts';
import type { NatterChatElement } from '../embed/index.ts';

it('types <natter-chat> with its attributes, and rejects others', async () => {
  const place = document.body.appendChild(document.createElement('main'));
  const root = createRoot(place);
  const ref = createRef<NatterChatElement>();
  root.render(
    <>
      <natter-chat
        ref={ref}
        endpoint="https://chat.example"
        agent-name="Ada"
        auto-open="false"
        className="help"
      />
      {/* @ts-expect-error There is no such theme. */}
      <natter-chat theme="blue" />
      {/* @ts-expect-error There is no such attribute. */}
      <natter-chat agent="Ada" />
    </>,
  );
  await vi.waitFor(() => expect(ref.current?.widget).toBeTruthy());
  expect(ref.current).toMatchObject({ agentName: 'Ada', autoOpen: false, className: 'help' });
  root.unmount();
  place.remove();
});
