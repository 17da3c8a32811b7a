/** A canned reply with its placeholders. */
export interface SavedReply {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** Null: for conversations in every language. */
  readonly language: string | null;
}
