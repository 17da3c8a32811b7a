import type { Context } from 'hono';
import { SETUP_ERRORS, type SetupError } from 'natter/protocol';
import type { PlatformEnv } from './platform-app.ts';
import { refusalResponse } from './refusal.ts';

/** The answer to a request for the socket that asks for no upgrade. */
const UPGRADE_REQUIRED: SetupError = {
  status: 426,
  text: 'This address answers WebSocket handshakes only, and this request asks for no upgrade. If a WebSocket client sent it, a proxy on the way drops the headers Upgrade and Connection: let it pass them on.',
  code: 'UPGRADE_REQUIRED',
};

/** Answers what arrives at `/ws` as a plain request: 426, and 405 for methods that no handshake has. */
export function answerWithoutUpgrade(context: Context<PlatformEnv>): Response {
  const { correlationId } = context.var;
  const isRead = ['GET', 'HEAD'].includes(context.req.method);
  return refusalResponse(
    isRead
      ? { error: UPGRADE_REQUIRED, correlationId, headers: { Upgrade: 'websocket', Connection: 'Upgrade' } }
      : { error: SETUP_ERRORS.methodNotAllowed, correlationId, headers: { Allow: 'GET' } },
  );
}
