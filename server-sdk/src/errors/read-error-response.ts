import { isRecord } from '../schema/is-record.ts';
import type { FieldError } from '../schema/parse.ts';
import { readErrorText } from './error-body.ts';
import { codeOfStatus } from './error-codes.ts';
import type { NatterErrorInit } from './natter-error.ts';

/** The parts of an error response. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body's text, possibly cut off. */
  readonly body: string;
  /** The correlation id that was sent, for responses without one. */
  readonly sentCorrelationId: string;
  readonly nowMs: number;
}

/**
 * Parses any error response: shapes E, D and M, `error_message` alone, the list `detail` that older monitoring services
 * send with 422, and bodies that are not JSON. Source: REST contract 1.4, AL-1.
 */
export function readErrorResponse(response: ErrorResponse): NatterErrorInit {
  const { status, headers } = response;
  const body = parseJson(response.body);
  const fieldErrors = readFieldErrors(body);
  const code =
    isRecord(body) && typeof body['error_code'] === 'string' && body['error_code'] !== ''
      ? body['error_code']
      : codeOfStatus(status);
  return {
    code,
    status,
    text: describe(status, readErrorText(body), fieldErrors),
    fieldErrors,
    correlationId: readCorrelationId(headers, body) ?? response.sentCorrelationId,
    retryAfterMs: readRetryAfter(headers.get('retry-after'), response.nowMs),
  };
}

/**
 * Parses a `Retry-After` header to milliseconds: seconds, fractions accepted (HTTP-10), or a date; null when it is
 * absent or invalid.
 */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  const trimmed = value.trim();
  if (/^\d{1,9}(?:\.\d+)?$/.test(trimmed)) return Math.ceil(Number(trimmed) * 1000);
  // Only the form with a weekday, because Date.parse would interpret "5" or "-1" as a year.
  const dateMs = /^[A-Za-z]{3,9},? /.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}

/** The correlation id of a response, from the header in either spelling or from the error body. Source: section 2. */
export function readCorrelationId(headers: Headers, body: unknown): string | null {
  const header = headers.get('x-correlation-id') ?? headers.get('x-polyai-correlation-id');
  if (header) return header;
  return isRecord(body) && typeof body['error_id'] === 'string' && body['error_id'] !== ''
    ? body['error_id']
    : null;
}

function describe(status: number, text: string | null, fieldErrors: readonly FieldError[]): string {
  const fields = fieldErrors.map(({ field, message }) => `${field} ${message}`.trim()).join('; ');
  const said = text === null || text.trim() === '' ? `The platform answered ${status}` : text.trim();
  return fields === '' ? said : `${said.replace(/\.$/, '')}: ${fields}`;
}

function readFieldErrors(body: unknown): readonly FieldError[] {
  if (!isRecord(body)) return [];
  const { errors, detail } = body;
  if (Array.isArray(errors)) {
    return errors.flatMap((entry: unknown) =>
      isRecord(entry) && typeof entry['message'] === 'string'
        ? [{ field: typeof entry['field'] === 'string' ? entry['field'] : '', message: entry['message'] }]
        : [],
    );
  }
  if (!Array.isArray(detail)) return [];
  return detail.flatMap((entry: unknown) =>
    isRecord(entry) && typeof entry['msg'] === 'string'
      ? [{ field: readLocation(entry['loc']), message: entry['msg'] }]
      : [],
  );
}

// ["body", "threshold_value"]: the first part is a location in the request, not a field.
function readLocation(location: unknown): string {
  if (!Array.isArray(location)) return '';
  const parts = location.filter((part) => typeof part === 'string' || typeof part === 'number').map(String);
  return (['body', 'query', 'path', 'header'].includes(parts[0] ?? '') ? parts.slice(1) : parts).join('.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A gateway's HTML page, or nothing: only the status is known.
    return null;
  }
}
