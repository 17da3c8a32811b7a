import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../icons.tsx';
import { usePanel } from '../../panel/model/panel-model.ts';
import { filesOf } from './files.ts';
import { receiveFiles } from './receive-files.ts';
import { CLIP } from './tool-icons.ts';
import { TOOL_TEXTS } from './tool-texts.ts';

/**
 * Adds files that the visitor chooses, pastes or drops. Renders nothing if the token proxy accepts none, or after the
 * end.
 */
export function AttachButton(): VNode | null {
  const model = usePanel();
  const files = filesOf(model);
  const input = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const limits = files.limits.value;
  const isOffered = limits !== null && !model.isOver.value;
  useLayoutEffect(() => {
    const panel = input.current?.closest<HTMLElement>('.panel');
    return panel && isOffered ? receiveFiles(panel, files.add, isOver) : undefined;
  }, [files, isOffered, isOver]);
  if (!isOffered) return null;
  const texts = model.partTexts('tools', TOOL_TEXTS);
  return (
    <>
      <button
        type="button"
        class="tool"
        title={texts.attach}
        aria-label={texts.attach}
        onClick={() => input.current?.click()}
      >
        <Icon path={CLIP} />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={limits.types.join()}
        onChange={({ currentTarget }) => {
          files.add(currentTarget.files ?? []);
          // The same file may be chosen again.
          currentTarget.value = '';
          model.focusComposer();
        }}
      />
      {isOver.value && (
        <p class="drop-place">
          <Icon path={CLIP} />
          {texts.drop}
        </p>
      )}
    </>
  );
}
