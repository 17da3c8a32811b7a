/** Fields of a log line besides its message: plain values, no foreign objects. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The proxy's logger. A pino logger fits unchanged.
 *
 * Promise: no line contains a connector token, an access token, a ticket, a cookie, a client address, a request URL or
 * a body. A line may contain the configured address of the socket, which every visitor gets.
 */
export interface Log {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** Discards all lines. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** Wraps a log, so that an exception in it cannot fail a request. */
export function guardLog(log: Log): Log {
  const guarded =
    (level: keyof Log) =>
    (fields: LogFields, message: string): void => {
      try {
        log[level](fields, message);
      } catch {
        // There is no second log to report this to, and the visitor's chat is more important than the line.
      }
    };
  return { info: guarded('info'), warn: guarded('warn'), error: guarded('error') };
}
