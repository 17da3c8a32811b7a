import * as v from 'valibot';
import { listOf, text } from '../schema/fields.ts';
import { objectOf, type Schema } from '../schema/object-of.ts';
import type { FieldError } from '../schema/parse.ts';

/** Error body E: chat, conversations, concurrency, external events, handoff state. Source: 1.4. */
export interface ErrorEnvelope {
  readonly success: false;
  /** Equal to `error_message`. */
  readonly error: string;
  readonly error_message: string;
  /** The correlation id. */
  readonly error_id: string;
  readonly error_code: string;
  readonly data: null;
}

/** Error body D: number reservation. `error` is the reason phrase of the status. Source: 1.4. */
export interface ReservationError {
  readonly success: false;
  readonly error: string;
  readonly message: string;
  readonly error_id: string;
}

/** Error body M: voice preview, alerts, webhook endpoints. Source: 1.4. */
export interface MonitoringError extends ErrorEnvelope {
  /** Equal to `error_message`. */
  readonly message: string;
  readonly errors: readonly FieldError[];
}

const envelope = {
  success: v.pipe(v.literal(false), v.description('Always false.')),
  error: text('What went wrong.'),
  error_message: text('The same text.'),
  error_id: text('The correlation id of the request.'),
  error_code: text('The code a program can decide on.'),
  data: v.pipe(v.null(), v.description('Always null.')),
};

/** Schema of error body E. */
export const errorEnvelopeSchema: Schema<ErrorEnvelope> = objectOf('Error', 'Error body E.', envelope);

/** Schema of error body D. */
export const reservationErrorSchema: Schema<ReservationError> = objectOf(
  'ReservationError',
  'Error body D.',
  {
    success: envelope.success,
    error: text('Reason phrase of the status.'),
    message: text('What went wrong.'),
    error_id: envelope.error_id,
  },
);

/** Schema of error body M. */
export const monitoringErrorSchema: Schema<MonitoringError> = objectOf('MonitoringError', 'Error body M.', {
  ...envelope,
  message: text('The same text.'),
  errors: listOf(
    'Faults by field; empty when the error is about no field.',
    objectOf('FieldError', 'A fault of one field.', {
      field: text('Field name.'),
      message: text('Description of the fault.'),
    }),
  ),
});
