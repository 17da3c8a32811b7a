import { matchesRegisteredHost, type OptionalClientEvent, type RegisteredHost } from 'natter/protocol';
import type { Variant } from '../../accounts/index.ts';

/** The connector settings that the messaging side uses. */
export interface MessagingConnector {
  readonly id: string;
  readonly projectId: string;
  /** For example `live`; stored with its conversations. */
  readonly environment: string;
  /** Name of the agent configuration; null: none. */
  readonly agent: string | null;
  /** Variants of the project that a session can be assigned to. Source: SES-3. */
  readonly variants: readonly Variant[];
  /** Whether its tokens are refused and its sockets closed. Source: TOK-6. */
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
  /** Whether visitors get a survey when a conversation ends. Source: TBD-2, TBD-3. */
  readonly hasSurvey: boolean;
  /** Symbols of the survey's scale. Source: TBD-3. */
  readonly surveyScale: 'faces' | 'stars';
  /** Whether receipts of messages are accepted. Source: TBD-2, TBD-3. */
  readonly hasReceipts: boolean;
  /** Whether its project verifies context. Source: VCI-1. */
  readonly hasContext: boolean;
  /** Initial language of conversations as a BCP-47 tag. */
  readonly language: string;
  /** Name of the handoff provider; null: none. */
  readonly handoff: string | null;
  /** Sent to pages that manage the handoff themselves (7.4). */
  readonly handoffRoute: string | null;
}

/** Connector lookups. They reject when the store fails, and return null for an unknown connector. */
export interface ConnectorDirectory {
  /** Finds unrevoked connectors only. */
  findByToken(token: string): Promise<MessagingConnector | null>;
  findById(connectorId: string): Promise<MessagingConnector | null>;
}

/**
 * Whether an access token minted for `host` is still valid: false when its connector was removed or revoked, or the
 * host is no longer registered. Source: TOK-6.
 */
export function admitsHost(
  connector: MessagingConnector | null,
  host: string,
): connector is MessagingConnector {
  return connector !== null && !connector.isRevoked && findMatchingHost(connector.hosts, host) !== null;
}

/**
 * Returns the registered host that matches an `X-Host` value, in its registered form; null if none does. Source:
 * HOST-1.
 */
export function findMatchingHost(hosts: readonly RegisteredHost[], xHost: string): string | null {
  return hosts.find((host) => matchesRegisteredHost([host], xHost))?.value ?? null;
}

/** Name of the agent for a variant (empty: no variant); null: there is none. */
export function agentNameOf(
  { agent, variants }: Pick<MessagingConnector, 'agent' | 'variants'>,
  variantId: string,
): string | null {
  return variants.find(({ id }) => id === variantId)?.agent ?? agent;
}

/** Name used in reports of a connector's missing agent; `none` if the connector names no agent. */
export const missingAgentOf = (
  connector: Pick<MessagingConnector, 'agent' | 'variants'>,
  variantId = '',
): string => agentNameOf(connector, variantId) ?? 'none';

/** Event types that a connector's clients may send besides the five of section 6. Source: TBD-3. */
export function optionalTypes(connector: MessagingConnector): readonly OptionalClientEvent['type'][] {
  return [
    ...(connector.hasSurvey ? (['EVENT_TYPE_CSAT_RESPONSE'] as const) : []),
    ...(connector.hasReceipts
      ? (['EVENT_TYPE_USER_RECEIVED_MESSAGE', 'EVENT_TYPE_USER_READ_MESSAGE'] as const)
      : []),
  ];
}
