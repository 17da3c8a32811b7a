import type { ContactMessage, ContactOutcome } from './contact-requests.ts';

/** A visitor's stored data. Source: 3.7, 3.8. */
export interface VisitorData {
  /** Reads it as JSON text in pieces; null for an unknown session. */
  read(sessionId: string): Promise<AsyncGenerator<string, void, undefined> | null>;
  erase(sessionId: string): Promise<void>;
  addContactRequest(sessionId: string, words: ContactMessage): Promise<ContactOutcome>;
  /** True when staff read contact requests; reported in the session response. */
  readonly offersContact: boolean;
}
