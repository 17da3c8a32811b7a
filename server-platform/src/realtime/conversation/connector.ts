import { matchesRegisteredHost, type OptionalClientEvent, type RegisteredHost } from 'natter/protocol';
import type { Variant } from '../../accounts/index.ts';

/** What the messaging side needs to know of a connector. */
export interface MessagingConnector {
  readonly id: string;
  readonly projectId: string;
  /** Such as `live`; its conversations carry it. */
  readonly environment: string;
  /** Name of the agent configuration that answers; null: none. */
  readonly agent: string | null;
  /** The variants of its project, one of which a session may be in. Source: SES-3. */
  readonly variants: readonly Variant[];
  /** Its tokens are refused and its sockets closed. Source: TOK-6. */
  readonly isRevoked: boolean;
  readonly hosts: readonly RegisteredHost[];
  /** Source: HOST-9. */
  readonly enforceOrigin: boolean;
  /** Source: V-5 (a). */
  readonly eventVocabulary: 'auto' | 'neutral' | 'poly';
  /** Source: 8.5. */
  readonly onHandoffFailure: 'rejoin' | 'stay' | 'end';
  readonly handoffTimeoutMs: number;
  /** Whether sockets are warned a minute before their session expires. Source: TBD-2, TBD-3. */
  readonly hasIdleWarning: boolean;
  /** Whether visitors are asked how it was when a conversation ends. Source: TBD-2, TBD-3. */
  readonly hasSurvey: boolean;
  /** What the survey's scale is drawn with. Source: TBD-3. */
  readonly surveyScale: 'faces' | 'stars';
  /** Whether receipts of messages are taken. Source: TBD-2, TBD-3. */
  readonly hasReceipts: boolean;
  /** BCP-47 tag conversations start in. */
  readonly language: string;
  /** Name of the hand-off provider; null: none. */
  readonly handoff: string | null;
  /** Sent to pages that manage the hand-off themselves (7.4). */
  readonly handoffRoute: string | null;
}

/** Where connectors are kept. Every lookup rejects when the store fails, and gives null for an unknown connector. */
export interface ConnectorDirectory {
  /** Only connectors that are not revoked. */
  findByToken(token: string): Promise<MessagingConnector | null>;
  findById(connectorId: string): Promise<MessagingConnector | null>;
}

/**
 * Whether an access token that was minted for `host` may still be used: false when its connector was removed or revoked,
 * or the host is not registered any more. Source: TOK-6.
 */
export function admitsHost(
  connector: MessagingConnector | null,
  host: string,
): connector is MessagingConnector {
  return connector !== null && !connector.isRevoked && findMatchingHost(connector.hosts, host) !== null;
}

/** The registered host that an `X-Host` value matches, as it was registered; null for none. Source: HOST-1. */
export function findMatchingHost(hosts: readonly RegisteredHost[], xHost: string): string | null {
  return hosts.find((host) => matchesRegisteredHost([host], xHost))?.value ?? null;
}

/** Name of the agent that answers in a variant, empty: in none; null: there is none. */
export function agentNameOf(
  { agent, variants }: Pick<MessagingConnector, 'agent' | 'variants'>,
  variantId: string,
): string | null {
  return variants.find(({ id }) => id === variantId)?.agent ?? agent;
}

/** The name by which a connector's missing agent is reported; connectors without one have `none`. */
export const missingAgentOf = (
  connector: Pick<MessagingConnector, 'agent' | 'variants'>,
  variantId = '',
): string => agentNameOf(connector, variantId) ?? 'none';

/** What clients of a connector may send besides the five types of section 6. Source: TBD-3. */
export function optionalTypes(connector: MessagingConnector): readonly OptionalClientEvent['type'][] {
  return [
    ...(connector.hasSurvey ? (['EVENT_TYPE_CSAT_RESPONSE'] as const) : []),
    ...(connector.hasReceipts
      ? (['EVENT_TYPE_USER_RECEIVED_MESSAGE', 'EVENT_TYPE_USER_READ_MESSAGE'] as const)
      : []),
  ];
}
