import { describe, expect, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import { isNatterError } from '../index.ts';
import { codeOfStatus, LOCAL_ERROR_CODES, PLATFORM_ERROR_CODES } from './error-codes.ts';
import { readErrorResponse, readRetryAfter } from './read-error-response.ts';

const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readErrorResponse({
    status,
    headers: new Headers(headers),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    sentCorrelationId: 'sent',
    nowMs: Date.parse('2026-03-02T09:15:00Z'),
  });

const envelope = {
  success: false,
  error: 'Project ID does not exist.',
  error_message: 'Project ID does not exist.',
  error_id: '5f0c0c3e-6d0c-4a55-9a3e-2f4f1c3b7a10',
  error_code: 'PROJECT_NOT_FOUND',
  data: null,
};

describe('error bodies', () => {
  it('reads an error body in envelope E', () => {
    expect(read(404, envelope)).toMatchObject({
      code: 'PROJECT_NOT_FOUND',
      status: 404,
      text: 'Project ID does not exist.',
      fieldErrors: [],
      correlationId: '5f0c0c3e-6d0c-4a55-9a3e-2f4f1c3b7a10',
    });
  });

  it('reads body D, whose `error` is a reason phrase and whose code comes from the status', () => {
    const body = { success: false, error: 'Bad Request', message: 'attributes is required' };
    expect(read(400, body)).toMatchObject({
      code: 'BAD_REQUEST',
      text: 'attributes is required',
      correlationId: 'sent',
    });
  });

  it('reads body M with its faults by field', () => {
    const body = {
      ...envelope,
      error_code: 'SCHEMA_VALIDATION_FAILED',
      message: 'Validation failed',
      errors: [
        { field: 'name', message: 'is required' },
        { field: 'metric', message: 'must be one of: a, b' },
      ],
    };
    expect(read(400, body)).toMatchObject({
      text: 'Validation failed: name is required; metric must be one of: a, b',
      fieldErrors: body.errors,
    });
  });

  it('reads the older bodies: `error_message` alone, and `detail` of 422', () => {
    expect(read(400, { error_message: 'External event id not valid' }).text).toBe(
      'External event id not valid',
    );
    const detail = [{ loc: ['body', 'threshold_value'], msg: 'must be greater', type: 'value_error' }];
    expect(read(422, { detail })).toMatchObject({
      code: 'UNPROCESSABLE',
      fieldErrors: [{ field: 'threshold_value', message: 'must be greater' }],
    });
  });

  it.each([
    ['<html>Bad gateway</html>'],
    [''],
    ['null'],
    ['[]'],
    ['{"error":{"nested":1},"errors":"x","detail":{}}'],
  ])('creates an error from an uninformative body: %s', (body) => {
    expect(read(502, body)).toMatchObject({
      code: 'BAD_GATEWAY',
      text: 'The platform answered 502',
      fieldErrors: [],
    });
  });

  it('prefers the correlation id of the header, in either spelling, to that of the body', () => {
    expect(read(404, envelope, { 'X-Correlation-Id': 'a' }).correlationId).toBe('a');
    expect(read(404, envelope, { 'x-polyai-correlation-id': 'b' }).correlationId).toBe('b');
  });

  it('throws one kind of error, whose message says what to do next', async () => {
    await withServer([{ status: 404, body: envelope }], async (natter) => {
      const error: unknown = await natter.handoff.get({ id: 'x' }).catch((thrown: unknown) => thrown);
      expect(isNatterError(error) && error.message).toBe('Project ID does not exist. Check projectId.');
      expect(error).toMatchObject({ name: 'NatterError', status: 404, retryable: false, retryAfterMs: null });
    });
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-02T09:15:00Z');
  it.each([
    ['5', 5000],
    ['0', 0],
    ['1.5', 1500],
    [' 2 ', 2000],
    ['Mon, 02 Mar 2026 09:15:10 GMT', 10_000],
    ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
    ['-1', null],
    ['soon', null],
    ['', null],
    [null, null],
  ])('reads Retry-After %j as %j', (value, expected) => {
    expect(readRetryAfter(value, now)).toBe(expected);
  });
});

describe('error codes', () => {
  it('says what to do next for every error code', () => {
    for (const { advice } of [...Object.values(LOCAL_ERROR_CODES), ...Object.values(PLATFORM_ERROR_CODES)]) {
      expect(advice).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('has an error code for statuses that no table names', () => {
    expect(codeOfStatus(418)).toBe('HTTP_ERROR');
    expect(read(599, '')).toMatchObject({ code: 'HTTP_ERROR' });
  });
});
