import { signal } from '@preact/signals-core';
import type { ConnectionStatus } from '../client/index.ts';
import { type MakeReplaceable, NOTHING_SHOWN } from './changeable-conversation.ts';
import { describeBadEndpoint, examine } from './doctor.ts';
import type { WidgetOptions } from './widget-options.ts';

/** What there is where the endpoint is none: a doctor who says so, and the same as an error for everything else. */
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
    // The widget asks for it by itself: who says something themselves learns of the fault.
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
    // It goes on to the endpoint that comes after this one.
    take(state) {
      left = state;
      button.ariaExpanded = 'false';
    },
    doctor: () => examine({ options, chat }),
    destroy: () => undefined,
  });
}
