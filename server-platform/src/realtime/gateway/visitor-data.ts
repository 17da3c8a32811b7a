import type { ContactOutcome, ContactWords } from './contact-requests.ts';

/** The stored data about a visitor. Source: 3.7, 3.8. */
export interface VisitorData {
  /** JSON text in pieces; null for an unknown session. */
  read(sessionId: string): Promise<AsyncGenerator<string, void, undefined> | null>;
  erase(sessionId: string): Promise<void>;
  addContactRequest(sessionId: string, words: ContactWords): Promise<ContactOutcome>;
  /** True when staff read contact requests; reported in the session response. */
  readonly offersContact: boolean;
}
