import type { VNode } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { Icon } from '../../icons.tsx';
import { usePanel } from '../../panel/model/panel-model.ts';
import { createDictation, findRecognition } from './create-dictation.ts';
import { MICROPHONE } from './tool-icons.ts';
import { toolNoticeOf } from './tool-notice.ts';
import { TOOL_TEXTS } from './tool-texts.ts';

/** Switches dictation on and off; nothing in a browser without speech recognition. */
export function DictateButton(): VNode | null {
  const Recogniser = useMemo(findRecognition, []);
  return Recogniser && <Button Recogniser={Recogniser} />;
}

function Button({ Recogniser }: { Recogniser: NonNullable<ReturnType<typeof findRecognition>> }): VNode {
  const model = usePanel();
  const { partTexts } = model;
  const texts = partTexts('tools', TOOL_TEXTS);
  const dictation = useMemo(
    () =>
      createDictation(model, Recogniser, (fault) => {
        toolNoticeOf(model).value = partTexts('tools', TOOL_TEXTS)[fault];
      }),
    [model, Recogniser, partTexts],
  );
  useLayoutEffect(() => dictation.destroy, [dictation]);
  const isOn = dictation.isOn.value;
  return (
    <button
      type="button"
      class="tool"
      title={texts.dictate}
      aria-label={texts.dictate}
      aria-pressed={isOn}
      onClick={() => {
        toolNoticeOf(model).value = '';
        if (isOn) dictation.stop();
        else dictation.start();
      }}
    >
      <Icon path={MICROPHONE} />
    </button>
  );
}
