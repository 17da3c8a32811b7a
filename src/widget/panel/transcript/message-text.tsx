import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { directionOf } from '../../dom/text-direction.ts';
import { listKey } from '../../list-key.ts';
import { usePanel } from '../model/panel-model.ts';
import { readPlainText } from './read-plain-text.ts';
import { useOwnText } from './use-own-text.ts';

interface MessageTextProps {
  readonly text: string;
  readonly isStreaming: boolean;
  /** The visitor stopped the answer, so that its Markdown may be cut off anywhere. */
  readonly isStopped?: boolean | undefined;
}

/**
 * The text of an answer. Markdown is read by a lazy part: until it has loaded, the plain text before the first Markdown is
 * shown, and if it cannot be loaded, the text as it was written.
 */
export function MessageText({ text, isStreaming, isStopped }: MessageTextProps): VNode {
  const { parts, textDirection } = usePanel();
  const { code, hasFailed, load } = parts.markdown;
  const plain = readPlainText(text);
  const { isWhole } = plain;
  useLayoutEffect(() => {
    if (!isWhole) void load();
  }, [isWhole, load]);
  const markdown = isWhole ? null : code.value;
  const isRaw = !isWhole && hasFailed.value;
  const paragraphs = isRaw ? [text.split('\n')] : plain.paragraphs;
  const own = useOwnText(isStreaming, () => paragraphs.flat().join(''));
  if (markdown) return <markdown.RichText {...{ text, isStreaming, isStopped }} />;
  return (
    <div key={own.key} ref={own.ref} class={isStreaming ? 'rich streaming' : 'rich'}>
      {paragraphs.map((lines, index) => (
        <p key={listKey(index)} dir={directionOf(lines.join(' '), textDirection.value)}>
          {lines.map(withLineBreak)}
        </p>
      ))}
    </div>
  );
}

/** A line, after a line break unless it is the first. */
const withLineBreak = (line: string, index: number) => (index === 0 ? line : [<br key="break" />, line]);
