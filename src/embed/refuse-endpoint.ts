import { signal } from '@preact/signals-core';
import type { ConnectionStatus } from '../client/index.ts';
import type { MakeConversation } from './conversation.ts';
import { describeBadEndpoint, examine } from './doctor.ts';
import type { WidgetOptions } from './widget-options.ts';

/** What there is where the endpoint is none: a doctor who says so, and the same as an error for everything else. */
export function refuseEndpoint(options: WidgetOptions): MakeConversation {
  const refuse = async (): Promise<never> => {
    throw new TypeError(describeBadEndpoint(options.endpoint));
  };
  const chat = { connection: signal<ConnectionStatus>({ status: 'idle' }), messages: signal([]) };
  return () => ({
    open: refuse,
    close: refuse,
    toggle: refuse,
    resume: refuse,
    send: refuse,
    endChat: refuse,
    newChat: refuse,
    logout: refuse,
    identify: refuse,
    setContext: refuse,
    onContextRequired: refuse,
    refreshVerifiedContext: refuse,
    setTheme: refuse,
    setLanguage: refuse,
    showBubble: refuse,
    animateLauncher: refuse,
    doctor: () => examine({ options, chat }),
    destroy: () => undefined,
  });
}
