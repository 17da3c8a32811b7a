import * as v from 'valibot';
import { NatterError } from '../errors/natter-error.ts';
import type { Schema } from '../schema/object-of.ts';
import type { Answer, Call, Transport } from './transport.ts';

/** Sends a call and parses its JSON response with a schema. @throws NatterError */
export function readJson<Value>(transport: Transport, call: Call, schema: Schema<Value>): Promise<Value> {
  return transport.send(call, async (answer) => {
    const text = await answer.response.text();
    answer.deadline.clear();
    return decodeAnswer(schema, parseJson(text, answer), answer);
  });
}

/** Sends a call whose response has no content. @throws NatterError */
export function expectDone(transport: Transport, call: Call): Promise<void> {
  return transport.send(call, async (answer) => {
    // Read completely, so that the connection can be reused.
    await answer.response.arrayBuffer();
    answer.deadline.clear();
  });
}

/** Parses a response value with a schema. @throws NatterError `INVALID_RESPONSE` */
export function decodeAnswer<Value>(schema: Schema<Value>, value: unknown, answer: Answer): Value {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  throw invalidResponse(`The answer cannot be read: ${path === null ? 'it' : path} ${issue.message}`, answer);
}

/** The error for a response that violates the contract. */
export function invalidResponse(text: string, { correlationId, response }: Answer): NatterError {
  return new NatterError({ code: 'INVALID_RESPONSE', text, status: response.status, correlationId });
}

function parseJson(text: string, answer: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidResponse('The answer is not JSON', answer);
  }
}
