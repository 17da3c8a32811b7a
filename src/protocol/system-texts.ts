/** Exact texts of SYSTEM_MESSAGE. Source: messaging.md 5.6, 12.1 and 16. */
export const SYSTEM_TEXTS = {
  invalidFrame: 'Unknown event type or invalid message format',
  notAllowed: (wireType: string): string => `Event type not allowed: ${wireType}`,
  tooLarge: 'Message too large',
  overloaded: 'Our system is experiencing high load. Please try again in a moment.',
  joinFailed: "Sorry, I'm unable to start a conversation right now. Please try again later.",
  noReply: "Sorry, I'm having trouble responding right now. Please try again.",
  streamBroken: 'Sorry, I encountered an error. Please try again.',
  sessionNotFound: 'Error: Session not found',
  sessionUnavailable: 'Error: Unable to retrieve session',
  connectorNotFound: 'Error: Connector not found',
  conversationNotFound: 'Error: Conversation not found',
  conversationNotStarted: 'Error: Conversation ID not found in session',
  handoffUnavailable: 'Sorry, we could not connect you to an agent. Please try again.',
  forwardFailed: 'Failed to forward message to live agent',
  handoffNotInitiated: 'Sorry, handoff could not be initiated.',
  rateLimited: 'Rate limit exceeded. Message dropped.',
} as const;

const RECOVERABLE_PARTS = [
  'conversation not found',
  'conversation id not found',
  'unable to start a conversation',
] as const;

/** True for an error text that a new join request may mend. Source: REC-1. */
export function isRecoverableText(text: string): boolean {
  const lower = text.toLowerCase();
  return RECOVERABLE_PARTS.some((part) => lower.includes(part));
}
