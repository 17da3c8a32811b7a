import type { AttackContext } from '../attack.ts';
import { ask, type HostileAnswer } from './hostile-http.ts';

/** The answers to the two calls that a token proxy makes for a visitor. */
export interface SessionAnswers {
  readonly token: HostileAnswer;
  /** Null when there was no access token to ask with. */
  readonly session: HostileAnswer | null;
  /** Empty when the platform gave none. */
  readonly accessToken: string;
  readonly sessionId: string;
}

/** Asks the platform for an access token with a connector's token, and with that for a session. */
export async function askForSession(
  context: AttackContext,
  connectorToken: string,
  address: string,
): Promise<SessionAnswers> {
  const call = (path: string, headers: Readonly<Record<string, string>>, body: string) =>
    ask(context, {
      target: 'platform',
      path,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
      address,
    });
  const token = await call(
    '/api/v1/access-token',
    { 'X-Token': connectorToken, 'X-Host': context.stack.host },
    '{}',
  );
  const accessToken = readField(token.body, 'access_token');
  if (accessToken === '') return { token, session: null, accessToken, sessionId: '' };
  const authorization = { Authorization: `Bearer ${accessToken}` };
  const session = await call('/api/v1/sessions', authorization, '{"streaming_enabled":true}');
  return { token, session, accessToken, sessionId: readField(session.body, 'session_id') };
}

function readField(body: string, name: string): string {
  try {
    return String((JSON.parse(body) as Record<string, unknown>)[name] ?? '');
  } catch {
    return '';
  }
}
