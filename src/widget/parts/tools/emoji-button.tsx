import type { VNode } from 'preact';
import { Icon } from '../../icons.tsx';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import { findEmojiKeys } from './emoji-keys.ts';
import { SMILE } from './tool-icons.ts';
import { toolNoticeOf } from './tool-notice.ts';
import { TOOL_TEXTS } from './tool-texts.ts';

function readPlatform(): string {
  // Chromium's API; other browsers have only the older one.
  const data: unknown = Reflect.get(navigator, 'userAgentData');
  return String(Object(data).platform || navigator.platform);
}

/** Moves the focus to the field and shows the keys of the system's emoji picker, because no page can open it. */
export function EmojiButton(): VNode | null {
  const model = usePanel();
  const keys = findEmojiKeys(readPlatform(), matchMedia('(hover: none) and (pointer: coarse)').matches);
  if (keys === null) return null;
  const texts = model.partTexts('tools', TOOL_TEXTS);
  return (
    <button
      type="button"
      class="tool"
      title={texts.emoji}
      aria-label={texts.emoji}
      onClick={() => {
        model.focusComposer();
        toolNoticeOf(model).value = fill(texts.emojiKeys, { keys });
      }}
    >
      <Icon path={SMILE} />
    </button>
  );
}
