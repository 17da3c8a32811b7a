import { pino } from 'pino';
import type { Log } from './log.ts';

/** The log of the Node entry: one JSON line for each. */
export function createLog(level: string): Log {
  return pino({
    name: 'natter-token-proxy',
    level,
    // The handler logs no secret. This list is the second fence, for whoever adds a field later.
    redact: {
      paths: ['token', 'access_token', 'resume_ticket', 'authorization', 'cookie', 'url', 'body'],
      remove: true,
    },
  });
}
