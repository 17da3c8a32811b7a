import { STATUS_CODES } from 'node:http';
import type { ErrorEnvelope, ErrorShape, MonitoringError, ReservationError } from '@natter/sdk';
import type { RestError } from './rest-error.ts';

/** Builds an error body in the shape of its route group. Source: 1.4. */
function writeErrorBody(
  error: RestError,
  shape: ErrorShape,
  correlationId: string,
): ErrorEnvelope | ReservationError | MonitoringError {
  // Route groups with a list of faults put the fields there; the others name the field in the text (AL-1, 1.6).
  const text =
    shape === 'M' && error.code === 'SCHEMA_VALIDATION_FAILED' && error.errors.length > 0
      ? 'Validation failed'
      : error.message;
  if (shape === 'D') {
    return {
      success: false,
      error: STATUS_CODES[error.status] ?? 'Error',
      message: text,
      error_id: correlationId,
    };
  }
  const envelope: ErrorEnvelope = {
    success: false,
    error: text,
    error_message: text,
    error_id: correlationId,
    error_code: error.code,
    data: null,
  };
  return shape === 'E' ? envelope : { ...envelope, message: text, errors: error.errors };
}

/** The response to a refused request. */
export function errorAnswer(error: RestError, shape: ErrorShape, correlationId: string): Response {
  return jsonAnswer(writeErrorBody(error, shape, correlationId), error.status, error.headers);
}

/** A JSON response. Source: C-12. */
export function jsonAnswer(
  body: unknown,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  });
}
