import type { Schema } from '../schema/object-of.ts';
import type { Repeatability } from './retry-policy.ts';

/** The families of the REST contract, under the names of the client. */
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

/** One call of one family: what the client sends, what the platform serves, what the OpenAPI document says. */
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
  /** Whether the connector token goes along in `X-TOKEN`. */
  readonly needsConnectorToken: boolean;
  readonly repeatability: Repeatability;
  /** Whether it is carried out once for an `Idempotency-Key`. Source: C-15. Default: the header means nothing. */
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
  /** Media types besides `application/json`, and what their bodies are. */
  readonly otherTypes?: Readonly<Record<string, Schema<unknown>>>;
}

export interface OperationSuccess {
  readonly status: number;
  readonly description: string;
  /** Absent: no body. */
  readonly schema?: Schema<unknown>;
}
