import type { Chat } from '../../../client/index.ts';
import type { Consent } from './create-consent.ts';

/**
 * Wraps a client so that nothing reaches the network or the storage before the visitor agrees. `onAskAgain` is called
 * before the visitor is asked again, for a conversation after the one that they were in.
 */
export function gateChat(client: Chat, consent: Consent, isRequired: boolean, onAskAgain: () => void): Chat {
  const start = async (): Promise<void> => {
    await consent.whenGiven();
    await client.start();
  };
  return {
    ...client,
    start,
    async endChat() {
      if (await consent.isGiven()) await client.endChat();
    },
    async newChat() {
      if (!isRequired) return client.newChat();
      if (await consent.isGiven()) {
        await client.endChat();
        onAskAgain();
        consent.withdraw();
      }
      // The tab in which the visitor agrees begins the new conversation.
      return start();
    },
    async logout() {
      if (!(await consent.isGiven())) return;
      await client.logout();
      consent.withdraw();
    },
    destroy() {
      client.destroy();
      consent.destroy();
    },
  };
}
