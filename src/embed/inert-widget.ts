import { createCommands, type PanelCommand } from './commands.ts';
import type { NatterWidget } from './create-widget.ts';

const WHY = 'The chat cannot be shown here: this is not a browser, or it is too old.';

/** The results of the commands that have one. */
const RESULTS: { readonly [Name in PanelCommand]?: Awaited<ReturnType<NatterWidget[Name]>> } = {
  send: { status: 'refused', reason: 'chat_ended' },
  doctor: { findings: [], text: WHY },
};

/** Creates a widget for pages that cannot draw one: every command resolves and does nothing. */
export function createInertWidget(): NatterWidget {
  const rest = async (): Promise<void> => undefined;
  return {
    ...createCommands(async ({ name }) => RESULTS[name], rest),
    isOpen: false,
    unread: 0,
    destroy: rest,
    on: () => () => undefined,
    once: () => () => undefined,
  };
}
