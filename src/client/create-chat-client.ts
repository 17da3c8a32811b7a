import type { ChatClient, ChatClientOptions } from './chat-client.ts';
import { createVisitorCommands } from './commands.ts';
import { createDefaultPorts } from './default-ports.ts';
import { isUrlAllowed, resolveEndpoint } from './session/check-url.ts';
import { createSnapshots } from './store/create-snapshots.ts';
import { SharedConversation } from './tabs/shared-conversation.ts';

/**
 * Creates a client for one conversation. Makes no request and uses no storage or socket before `start()`.
 *
 * Faults of the network, the proxy and the platform never throw; they appear in `connection`, `session` and the
 * delivery status of a message. Throws a `TypeError` only for an unencrypted `endpoint` (H-3), which no visitor could
 * fix. `start()` rejects with a `TypeError` if there is no `WebSocket`.
 *
 * @example
 * const chat = createChatClient({ endpoint: 'https://chat.example.com' });
 * chat.subscribe(({ messages }) => console.log(messages.length));
 * await chat.start();
 * chat.send('When does the ferry leave?');
 */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const endpoint = resolveEndpoint(`${options.endpoint}`).replace(/(?<!\/)\/+$/, '');
  if (!isUrlAllowed(endpoint, options.allowInsecure)) {
    throw new TypeError('`endpoint` must be an https address.');
  }
  const ports = { ...createDefaultPorts(), ...options.ports };
  const shared = new SharedConversation({ chat: options, endpoint, ports });
  const { chatStore, lifecycle, currentSession, requestContact, services } = shared;
  return {
    ...chatStore.state,
    ...createSnapshots(chatStore),
    ...createVisitorCommands(shared, ports.createId, options.page),
    async start() {
      // Not checked when the client is created, because a server that renders a page creates one too and never starts
      // it.
      if (ports.WebSocket === undefined) throw new TypeError(NO_WEB_SOCKET);
      await lifecycle.start();
    },
    hasStoredConversation: () => lifecycle.hasStoredConversation(),
    endChat: () => lifecycle.endChat(),
    newChat: () => lifecycle.newChat(),
    logout: () => lifecycle.logout(),
    claim: (userId) => lifecycle.claim(userId),
    diagnose: () => lifecycle.diagnose(),
    destroy: () => lifecycle.destroy(),
    currentSession,
    requestContact,
    services,
    setUnsent: chatStore.setUnsent,
  };
}

const NO_WEB_SOCKET =
  'There is no WebSocket here. Browsers and Node 22 have one; elsewhere give one: ports: { WebSocket }, that of the package "ws".';
