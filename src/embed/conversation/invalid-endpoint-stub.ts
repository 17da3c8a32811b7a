import { signal } from '@preact/signals-core';
import type { ConnectionStatus } from '../../client/index.ts';
import type { WidgetOptions } from '../../widget/index.ts';
import { createCommands } from '../commands.ts';
import { describeBadEndpoint, diagnose } from '../doctor/doctor.ts';
import { type MakeReplaceable, NOTHING_SHOWN } from './changeable-conversation.ts';

/** Stub for an invalid `endpoint`: diagnostics report it, every other command rejects. */
export function createInvalidEndpointStub(options: WidgetOptions): MakeReplaceable {
  const refuse = async (): Promise<never> => {
    throw new TypeError(describeBadEndpoint(options.endpoint));
  };
  const chat = { connection: signal<ConnectionStatus>({ status: 'idle' }), messages: signal([]) };
  let kept = NOTHING_SHOWN;
  return (_, button) => ({
    ...createCommands(({ name }) => (name === 'doctor' ? diagnose({ options, chat }) : refuse()), refuse),
    agentName: undefined,
    // The widget makes this call itself; a command of the page rejects.
    resume: async () => undefined,
    show: async () => undefined,
    capture: () => kept,
    // Kept for the conversation at the next endpoint.
    restore(state) {
      kept = state;
      button.ariaExpanded = 'false';
    },
    destroy: () => undefined,
  });
}
