import type { NatterWidget } from './create-widget.ts';

const WHY = 'The chat cannot be drawn here: this is no browser, or one that is too old.';

/** Takes the place of a widget where none can be drawn: every command resolves and does nothing. */
export function createInertWidget(): NatterWidget {
  const rest = async (): Promise<void> => undefined;
  return {
    isOpen: false,
    unread: 0,
    open: rest,
    close: rest,
    toggle: rest,
    endChat: rest,
    newChat: rest,
    logout: rest,
    identify: rest,
    setContext: rest,
    onContextRequired: rest,
    refreshVerifiedContext: rest,
    prefill: rest,
    update: rest,
    setTheme: rest,
    setLanguage: rest,
    showBubble: rest,
    animateLauncher: rest,
    showLauncher: rest,
    hideLauncher: rest,
    destroy: rest,
    send: async () => ({ status: 'refused', reason: 'chat_ended' }),
    doctor: async () => ({ findings: [], text: WHY }),
    on: () => () => undefined,
    once: () => () => undefined,
  };
}
