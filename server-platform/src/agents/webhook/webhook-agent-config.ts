import type { HandoffTarget } from '../articles/knowledge-agent-config.ts';
import type { EndpointRetries, EndpointTimeouts } from '../endpoint/endpoint-limits.ts';

/** All settings of an agent behind a webhook. */
export interface WebhookAgentConfig {
  readonly name: string;
  readonly avatarUrl: string | null;
  /** Address to which each turn is posted. */
  readonly url: string;
  /** Signs the turns. */
  readonly secret: string;
  readonly timeouts: EndpointTimeouts;
  readonly retries: EndpointRetries;
  /** Default destination of a hand-off; null: a hand-off without a destination is invalid. */
  readonly handoff: HandoffTarget | null;
}
