import { pino } from 'pino';
import type { Log } from './log.ts';

/** The log of the Node entry: one JSON line for each. */
export function createLog(level: string): Log {
  return pino({
    name: 'natter-token-proxy',
    level,
    // The handler logs no secret. This list is a second safeguard for fields that are added later.
    redact: {
      paths: ['token', 'access_token', 'resume_ticket', 'authorization', 'cookie', 'url', 'body'],
      remove: true,
    },
  });
}
