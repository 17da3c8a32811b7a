import type { ContactOutcome, ContactWords } from '../../db/index.ts';

/** What is stored about a visitor. Source: 3.7, 3.8. */
export interface VisitorData {
  /** JSON text in pieces; null for an unknown session. */
  read(sessionId: string): Promise<AsyncGenerator<string, void, undefined> | null>;
  erase(sessionId: string): Promise<void>;
  addContactRequest(sessionId: string, words: ContactWords): Promise<ContactOutcome>;
  /** Whether somebody sees these requests: named to whoever creates a session. */
  readonly offersContact: boolean;
}
