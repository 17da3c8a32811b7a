/** What a log line may carry beside its message: plain facts, no objects from outside. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The proxy's logger. A pino logger fits unchanged.
 *
 * Promise: no line holds a connector token, an access token, a ticket, a cookie, a client address, a URL of a request or a body. The
 * configured address of the socket, which every visitor is given, may be in one.
 */
export interface Log {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** A log for those who want none. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** Wraps a log so that one that throws cannot turn an answered request into a failed one. */
export function guardLog(log: Log): Log {
  const guarded =
    (level: keyof Log) =>
    (fields: LogFields, message: string): void => {
      try {
        log[level](fields, message);
      } catch {
        // There is no second log to say it in, and the visitor's chat matters more than the line.
      }
    };
  return { info: guarded('info'), warn: guarded('warn'), error: guarded('error') };
}
