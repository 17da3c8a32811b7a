import type { HandoffTarget } from '../articles/knowledge-agent-config.ts';
import type { EndpointRetries, EndpointTimeouts } from '../endpoint/endpoint-limits.ts';

/** All settings of an agent behind a webhook. */
export interface WebhookAgentConfig {
  readonly name: string;
  readonly avatarUrl: string | null;
  /** Where each turn is posted. */
  readonly url: string;
  /** Signs the turns. */
  readonly secret: string;
  readonly timeouts: EndpointTimeouts;
  readonly retries: EndpointRetries;
  /** Completes a hand-off that names no destination; null: such a hand-off is not valid. */
  readonly handoff: HandoffTarget | null;
}
