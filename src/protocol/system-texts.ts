// Exact texts of SYSTEM_MESSAGE. Source: messaging.md 5.6, 12.1 and 16.

export const invalidFrame = 'Unknown event type or invalid message format';
export const notAllowed = (wireType: string): string => `Event type not allowed: ${wireType}`;
export const tooLarge = 'Message too large';
export const overloaded = 'Our system is experiencing high load. Please try again in a moment.';
export const joinFailed = "Sorry, I'm unable to start a conversation right now. Please try again later.";
export const noReply = "Sorry, I'm having trouble responding right now. Please try again.";
export const streamBroken = 'Sorry, I encountered an error. Please try again.';
export const sessionNotFound = 'Error: Session not found';
export const sessionUnavailable = 'Error: Unable to retrieve session';
export const connectorNotFound = 'Error: Connector not found';
export const conversationNotFound = 'Error: Conversation not found';
export const conversationNotStarted = 'Error: Conversation ID not found in session';
export const handoffUnavailable = 'Sorry, we could not connect you to an agent. Please try again.';
export const forwardFailed = 'Failed to forward message to live agent';
export const handoffNotInitiated = 'Sorry, handoff could not be initiated.';
export const rateLimited = 'Rate limit exceeded. Message dropped.';
