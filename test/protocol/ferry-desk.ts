import type { HandoffLink, HandoffSession, LiveAgent, ServerHandoffProvider } from '@natter/platform';

const SAM: LiveAgent = { id: 'agent-7', name: 'Sam', avatarUrl: 'https://example.com/sam.png' };

/**
 * The desk of the documents' examples. `Bookings` has a queue, and Sam joins when the visitor writes; `Closed` is
 * unavailable; at queue `Nobody` no person joins.
 */
export const ferryDesk: ServerHandoffProvider = {
  managed: 'server',
  serves: () => true,
  async open({ destination }, session): Promise<HandoffLink> {
    if (destination === 'Closed') throw new Error('The desk is closed.');
    void queue(session);
    return {
      reference: null,
      async sendMessage({ text }) {
        // Sam answers after the echo, because the session forwards a message only after it is stored.
        void (text === 'Goodbye!' ? leave(session) : answer(session));
      },
      sendTyping() {},
      close() {},
    };
  },
  resume: async () => null,
};

async function queue(session: HandoffSession): Promise<void> {
  await session.accepted('Bookings');
  await session.queueChanged({
    queueName: 'Bookings',
    positionInQueue: 2,
    estimatedWaitSeconds: 90,
    displayMessage: 'Two visitors are before you.',
  });
}

async function answer(session: HandoffSession): Promise<void> {
  await session.agentJoined(SAM);
  await session.agentTyping(SAM, 'TYPING_STATE_STARTED');
  await session.agentSent({
    agent: SAM,
    text: 'Hello, I am Sam. Which booking is it?',
    suggestions: [{ message_text: 'KF-48213' }],
  });
  await session.agentTyping(SAM, 'TYPING_STATE_STOPPED');
}

async function leave(session: HandoffSession): Promise<void> {
  await session.agentLeft(SAM, 'end', { reason: 'solved' });
}
