import type { Schema } from '../schema/object-of.ts';
import type { Repeatability } from './retry-policy.ts';

/** Groups of calls, under the client's names. */
export type Family =
  | 'chat'
  | 'conversations'
  | 'concurrency'
  | 'externalEvents'
  | 'numbers'
  | 'voice'
  | 'alertRules'
  | 'alerts'
  | 'webhookEndpoints'
  | 'handoff'
  | 'erasure';

/** The two host groups, each with its own keys. Source: C-1. */
export type Service = 'runtime' | 'monitoring';

/** The three error bodies. Source: 1.4. */
export type ErrorShape = 'E' | 'D' | 'M';

/** One call: used by the client, the platform and the OpenAPI document. */
export interface Operation {
  readonly id: string;
  readonly family: Family;
  readonly service: Service;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** The key's header as the contract spells it. Source: C-6. */
  readonly keyHeader: string;
  /** Whether the connector token is sent in `X-TOKEN`. */
  readonly needsConnectorToken: boolean;
  readonly repeatability: Repeatability;
  /** Whether it supports an `Idempotency-Key`. Source: C-15. Default: the header is ignored. */
  readonly takesIdempotencyKey?: boolean;
  readonly pathParameters: Readonly<Record<string, Schema<string>>>;
  readonly query?: Schema<unknown>;
  readonly body?: OperationBody;
  readonly success: OperationSuccess;
  /** Statuses of refusals. */
  readonly errors: readonly number[];
  readonly errorShape: ErrorShape;
}

export interface OperationBody {
  readonly isRequired: boolean;
  readonly schema: Schema<unknown>;
  /** Media types in addition to `application/json`, with their bodies. */
  readonly otherTypes?: Readonly<Record<string, Schema<unknown>>>;
}

export interface OperationSuccess {
  readonly status: number;
  readonly description: string;
  /** Absent: no body. */
  readonly schema?: Schema<unknown>;
}
