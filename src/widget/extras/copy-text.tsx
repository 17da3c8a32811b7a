import { copyText } from '../copy-text.ts';
import { usePanel } from '../panel-model.ts';
import { type View, view } from '../view/index.ts';

/** Copies words that could not be sent, so that they are not lost with the chat. */
export const CopyText: View<{ readonly text: string }> = view(({ text }) => {
  const { strings } = usePanel();
  const copy = (event: MouseEvent) => {
    if (event.currentTarget instanceof Node) void copyText(text, event.currentTarget);
  };
  return (
    <button type="button" class="text-button" onClick={copy}>
      {strings.value.copy}
    </button>
  );
});
