import type { IncomingMessage } from 'node:http';
import { matchesOrigin, parseCursor, SETUP_ERRORS, type SetupError } from 'natter/protocol';
import type { AccessTokens } from '../auth/access-tokens.ts';
import type { ConnectorDirectory, MessagingConnector } from './connector.ts';

/** A session that a handshake may join. */
export interface JoinableSession {
  /** The identity it belongs to. Source: TOK-3. */
  readonly identity: string;
}

/** What a handshake asks for, read from its URL. Source: WS-1, CUR-1. */
export interface HandshakeParameters {
  readonly sessionId: string;
  readonly accessToken: string;
  readonly cursor: number;
  /** False when a cursor was given that counts as 0; worth a warning in the log. Source: CUR-2. */
  readonly isCursorValid: boolean;
}

/** Reads the parameters; of a repeated one the first counts. Null: row 1 of WS-2. */
export function readHandshakeParameters(url: string): HandshakeParameters | null {
  const start = url.indexOf('?');
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
  const sessionId = parameters.get('session_id') ?? '';
  const accessToken = parameters.get('access_token') ?? '';
  if (sessionId === '' || accessToken === '') return null;
  const { cursor, isValid } = parseCursor(parameters.get('cursor'));
  return { sessionId, accessToken, cursor, isCursorValid: isValid };
}

/** What the checks need from the rest of the platform. */
export interface HandshakeChecks<Session extends JoinableSession> {
  readonly tokens: AccessTokens;
  readonly connectors: ConnectorDirectory;
  /** Null when the session is unknown, expired, or ended longer ago than WS-4 allows. */
  readonly findSession: (sessionId: string) => Promise<Session | null>;
  /** Takes one of the session's places for sockets; false when all are taken. */
  readonly takePlace: (sessionId: string) => Promise<boolean>;
}

/** A handshake that may go on, or the row of WS-2 that stops it. */
export type HandshakeVerdict<Session> =
  | {
      readonly kind: 'accepted';
      readonly session: Session;
      readonly connector: MessagingConnector;
      readonly parameters: HandshakeParameters;
    }
  | { readonly kind: 'refused'; readonly error: SetupError };

/** The checks of WS-2 in their order, with WS-7 as part of row 2. The place (row 5) is taken when it is accepted. */
export async function checkHandshake<Session extends JoinableSession>(
  request: Pick<IncomingMessage, 'url' | 'headers'>,
  checks: HandshakeChecks<Session>,
): Promise<HandshakeVerdict<Session>> {
  const parameters = readHandshakeParameters(request.url ?? '');
  if (parameters === null) return refused(SETUP_ERRORS.invalidConnectionParameters);
  const claims = await checks.tokens.verify(parameters.accessToken);
  const connector = claims === null ? null : await checks.connectors.findById(claims.connectorId);
  const origin = request.headers.origin ?? null;
  if (
    claims === null ||
    connector === null ||
    !matchesOrigin(connector.hosts, origin, connector.enforceOrigin)
  ) {
    return refused(SETUP_ERRORS.authenticationFailed);
  }
  const session = await checks.findSession(parameters.sessionId);
  if (session === null) return refused(SETUP_ERRORS.sessionNotFound);
  if (session.identity !== claims.identity) return refused(SETUP_ERRORS.authenticationFailed);
  if (!(await checks.takePlace(parameters.sessionId))) return refused(SETUP_ERRORS.connectionLimitExceeded);
  return { kind: 'accepted', session, connector, parameters };
}

function refused(error: SetupError): { readonly kind: 'refused'; readonly error: SetupError } {
  return { kind: 'refused', error };
}
