import type { Sql } from '../../db/index.ts';
import { errorAnswer, jsonAnswer } from './error-answer.ts';
import { claimCall, releaseClaim, storeResponse } from './idempotent-answers.ts';
import { isRestError, RestError, validationError } from './rest-error.ts';
import type { AnyCall, RestRoute } from './rest-route.ts';

const HEADER = 'Idempotency-Key';
/** Marks a response as a repetition of an earlier one. Source: C-15. */
const REPLAYED_HEADER = 'Idempotent-Replayed';
// A repeated header would be joined with blanks, which a key cannot contain.
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Reads the `Idempotency-Key` of a request; null: absent, or not supported by the route. Fails with a 400. */
export function readIdempotencyKey({ operation }: RestRoute, { headers }: Request): string | null {
  const key = operation.takesIdempotencyKey === true ? headers.get(HEADER) : null;
  if (key === null || KEY.test(key)) return key;
  throw validationError([
    { field: HEADER, message: 'must be given once, as 1 to 255 characters of visible ASCII' },
  ]);
}

/** Dependencies of an idempotent call. */
export interface OnceServices {
  readonly sql: Sql;
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * Runs a call once per key, and answers repetitions with the first response. Fails with a 409 while the first call is
 * running, on any node, and with a 422 when the key was used for another call. Failures of the platform are not stored,
 * so the call may be tried again. Source: C-15.
 */
export async function answerOnce(
  { sql, onFailure }: OnceServices,
  route: RestRoute,
  call: AnyCall,
  idempotencyKey: string,
  toResponse: (call: AnyCall) => Promise<Response>,
): Promise<Response> {
  const { bytes, repeatable } = await readContent(route, call);
  const claim = await claimCall(sql, {
    apiKeyId: call.key.id,
    scope: [call.project?.id ?? '', route.operation.id],
    idempotencyKey,
    content: [call.connector?.id ?? '', ...bytes],
  });
  switch (claim.kind) {
    case 'differs':
      throw new RestError(
        422,
        'IDEMPOTENCY_KEY_REUSED',
        'Idempotency-Key was used with another request before',
      );
    case 'running':
      throw new RestError(
        409,
        'IDEMPOTENCY_KEY_IN_USE',
        'The first request with this Idempotency-Key is still being processed',
        { headers: { 'Retry-After': '1' } },
      );
    case 'answered':
      return replay(claim.answer);
    case 'claimed':
      break;
  }
  let answer: Response;
  try {
    answer = await toResponse(repeatable);
  } catch (error) {
    if (!isRestError(error) || error.status >= 500 || error.status === 429) {
      await releaseClaim(sql, claim).catch((cause: unknown) =>
        onFailure('release an idempotency key', cause),
      );
      throw error;
    }
    answer = errorAnswer(error, route.operation.errorShape, call.correlationId);
  }
  const body = await answer.clone().text();
  const conversationId = findConversationId(body, call.body);
  // The call has run, so its response is sent even if it cannot be stored.
  await storeResponse(sql, claim, { status: answer.status, body }, conversationId).catch((cause: unknown) =>
    onFailure('store the response of an idempotency key', cause),
  );
  return answer;
}

/** The distinguishing content of a call, and the call with its body still readable. */
async function readContent(
  { body, distinguish }: RestRoute,
  call: AnyCall,
): Promise<{ readonly bytes: readonly string[]; readonly repeatable: AnyCall }> {
  if (body !== undefined) return { bytes: [JSON.stringify(call.body)], repeatable: call };
  const bytes = await call.readBytes();
  const text = Buffer.from(bytes).toString('base64');
  const type = call.request.headers.get('content-type') ?? '';
  return {
    bytes: [text, type, new URL(call.request.url).search, distinguish?.(call.request) ?? ''],
    repeatable: { ...call, readBytes: async () => bytes },
  };
}

function replay({ status, body }: { readonly status: number; readonly body: string }): Response {
  const headers = { [REPLAYED_HEADER]: 'true' };
  if (body === '') return new Response(null, { status, headers });
  return jsonAnswer(JSON.parse(body), status, headers);
}

/** Finds the conversation of a response, named in it or in the request. */
function findConversationId(answer: string, asked: unknown): string | null {
  return conversationIdOf(answer === '' ? null : JSON.parse(answer)) ?? conversationIdOf(asked);
}

function conversationIdOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('conversation_id' in value)) return null;
  return typeof value.conversation_id === 'string' ? value.conversation_id : null;
}
