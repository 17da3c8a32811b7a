import { ERROR_CODES } from '../error-codes.ts';
import type { LogFields } from '../kit/log.ts';
import type { ProxyContext } from '../proxy-context.ts';
import type { ProxyFailure } from '../proxy-failure.ts';

/** Identifies a request in the log. */
interface RequestNote {
  readonly correlationId: string;
  readonly route: string;
}

/** Logs a response, and the code of a refusal. */
export function logAnswer(
  { log, clock }: ProxyContext,
  note: RequestNote,
  startedAtMs: number,
  status: number,
  failure: ProxyFailure | null,
): void {
  const fields: LogFields = {
    ...note,
    status,
    durationMs: clock.now() - startedAtMs,
    ...(failure === null ? {} : { code: failure.code, ...failure.logFields }),
  };
  if (failure === null) log.info(fields, 'answered');
  else if (failure.code === 'INTERNAL') log.error(fields, 'failed');
  else if (ERROR_CODES[failure.code].status >= 429) log.warn(fields, 'refused');
  else log.info(fields, 'refused');
}
