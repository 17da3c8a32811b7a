/** A conversation over REST, as it is between two calls. Source: section 3. */
export interface Chat {
  readonly conversationId: string;
  readonly projectId: string;
  readonly connectorId: string;
  /** Source: 3.4. Nothing leaves `ended` or `timed_out`. */
  readonly status: 'open' | 'ended' | 'timed_out';
  /** Name of the agent configuration that answers all of it. */
  readonly agent: string;
  /** Null: none. */
  readonly variantId: string | null;
  /** BCP-47 tag. */
  readonly language: string;
  /** What the integrator gave on create; null: nothing. */
  readonly integrationAttributes: Readonly<Record<string, unknown>> | null;
  readonly agentState: Readonly<Record<string, unknown>>;
  readonly lastActivityMs: number;
}

/** What a call changes of its conversation. */
export type ChatChange = Partial<Pick<Chat, 'status' | 'language' | 'agentState' | 'lastActivityMs'>>;
