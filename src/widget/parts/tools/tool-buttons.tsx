import type { VNode } from 'preact';
import { hasFeature } from '../../has-feature.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import { AttachButton } from './attach-button.tsx';
import { DictateButton } from './dictate-button.tsx';
import { EmojiButton } from './emoji-button.tsx';

/** The buttons beside "Send" that the site has enabled. */
export function ToolButtons(): VNode {
  const { options } = usePanel();
  return (
    <>
      {hasFeature(options.value, 'emoji') && <EmojiButton />}
      {hasFeature(options.value, 'files') && <AttachButton />}
      {hasFeature(options.value, 'dictation') && <DictateButton />}
    </>
  );
}
