import { signal } from '@preact/signals-core';
import type { ConnectionStatus } from '../client/index.ts';
import type { WidgetOptions } from '../widget/index.ts';
import { type MakeReplaceable, NOTHING_SHOWN } from './changeable-conversation.ts';
import { describeBadEndpoint, diagnose } from './doctor.ts';

/** Stub for an invalid `endpoint`: diagnostics report it, every other command rejects. */
export function refuseEndpoint(options: WidgetOptions): MakeReplaceable {
  const refuse = async (): Promise<never> => {
    throw new TypeError(describeBadEndpoint(options.endpoint));
  };
  const chat = { connection: signal<ConnectionStatus>({ status: 'idle' }), messages: signal([]) };
  let left = NOTHING_SHOWN;
  return (_, button) => ({
    open: refuse,
    close: refuse,
    toggle: refuse,
    // The widget calls this by itself; a command of the page rejects.
    resume: async () => undefined,
    send: refuse,
    endChat: refuse,
    newChat: refuse,
    logout: refuse,
    identify: refuse,
    setContext: refuse,
    onContextRequired: refuse,
    refreshVerifiedContext: refuse,
    prefill: refuse,
    showBubble: refuse,
    animateLauncher: refuse,
    show: async () => undefined,
    look: () => left,
    // Kept for the conversation at the next endpoint.
    take(state) {
      left = state;
      button.ariaExpanded = 'false';
    },
    doctor: () => diagnose({ options, chat }),
    destroy: () => undefined,
  });
}
