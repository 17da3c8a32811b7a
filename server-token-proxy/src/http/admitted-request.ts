import type { CallBudget } from '../upstream/call-upstream.ts';

/** A request that has passed the origin check and the limits. */
export interface AdmittedRequest {
  readonly request: Request;
  readonly origin: string | null;
  readonly correlationId: string;
  /** For the platform's own limits per address; null when it is not known. */
  readonly visitorAddress: string | null;
  readonly budget: CallBudget;
}

/** What a route answers with. */
export interface RouteAnswer {
  /** Fields, or JSON text as it arrives. */
  readonly body: object | ReadableStream<Uint8Array>;
  /** `Set-Cookie` values. */
  readonly cookies?: readonly string[];
}
