import type { CallBudget } from '../upstream/call-upstream.ts';

/** A request that has passed the origin check and the limits. */
export interface AdmittedRequest {
  readonly request: Request;
  readonly origin: string | null;
  readonly correlationId: string;
  /** For the platform's limits per address; null when unknown. */
  readonly visitorAddress: string | null;
  readonly budget: CallBudget;
}

/** The response of a route. */
export interface RouteAnswer {
  /** Fields, or a stream of JSON text. */
  readonly body: object | ReadableStream<Uint8Array>;
  /** `Set-Cookie` values. */
  readonly cookies?: readonly string[];
}
