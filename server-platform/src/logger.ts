import { type DestinationStream, type Logger, pino } from 'pino';

/** How much is logged. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

// What must not be in a log even if somebody hands it over: TOK-8, and the texts of the people who chat.
const SECRET_KEYS = [
  'access_token',
  'accessToken',
  'token',
  'authorization',
  'Authorization',
  'x-token',
  'X-Token',
  'cookie',
  'text',
  'payload',
  'url',
  'databaseUrl',
];

/** Makes the platform's logger: JSON lines, secrets and message text removed at any of the first two levels. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const paths = SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`]);
  const options = { level, redact: { paths, censor: '[removed]' } };
  return destination === undefined ? pino(options) : pino(options, destination);
}
