/** A conversation over REST between two calls. Source: section 3. */
export interface Chat {
  readonly conversationId: string;
  readonly projectId: string;
  readonly connectorId: string;
  /** Source: 3.4. `ended` and `timed_out` are final. */
  readonly status: 'open' | 'ended' | 'timed_out';
  /** Name of the agent configuration that answers the whole conversation. */
  readonly agent: string;
  /** Null: none. */
  readonly variantId: string | null;
  /** BCP-47 tag. */
  readonly language: string;
  /** Attributes given on create; null: none. */
  readonly integrationAttributes: Readonly<Record<string, unknown>> | null;
  readonly agentState: Readonly<Record<string, unknown>>;
  readonly lastActivityMs: number;
}

/** Changes that a call makes to its conversation. */
export type ChatChange = Partial<Pick<Chat, 'status' | 'language' | 'agentState' | 'lastActivityMs'>>;
