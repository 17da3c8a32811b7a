import type { IncomingMessage } from 'node:http';
import { matchesOrigin, parseCursor, SETUP_ERRORS, type SetupError } from 'natter/protocol';
import type { AccessTokens } from '../../accounts/tokens/index.ts';
import { admitsHost, type ConnectorDirectory, type MessagingConnector } from '../conversation/index.ts';
import type { ConnectionSlot } from '../sessions/connection-slot.ts';

/** A session that a handshake may join. */
export interface JoinableSession {
  /** The stored session id. A client may spell it in upper case. */
  readonly id: string;
  /** The identity that the session belongs to. Source: TOK-3. */
  readonly identity: string;
}

/** The parameters of a handshake, read from its URL. Source: WS-1, CUR-1. */
export interface HandshakeParameters {
  readonly sessionId: string;
  readonly accessToken: string;
  readonly cursor: number;
  /** False when an invalid cursor was given, which counts as 0 and is logged. Source: CUR-2. */
  readonly isCursorValid: boolean;
}

/** Reads the parameters; the first of repeated ones counts. Null: row 1 of WS-2. */
export function readHandshakeParameters(url: string): HandshakeParameters | null {
  const start = url.indexOf('?');
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
  const sessionId = parameters.get('session_id') ?? '';
  const accessToken = parameters.get('access_token') ?? '';
  if (sessionId === '' || accessToken === '') return null;
  const { cursor, isValid } = parseCursor(parameters.get('cursor'));
  return { sessionId, accessToken, cursor, isCursorValid: isValid };
}

/** Dependencies of the checks. */
export interface HandshakeChecks<Session extends JoinableSession> {
  readonly tokens: AccessTokens;
  readonly connectors: ConnectorDirectory;
  /** Returns null when the session is unknown, expired, or ended longer ago than WS-4 allows. */
  readonly findSession: (sessionId: string, connector: MessagingConnector) => Promise<Session | null>;
  /** Called for every handshake with a valid token, with whether its origin is allowed for the connector. */
  readonly onOrigin: (connector: MessagingConnector, origin: string | null, isAllowed: boolean) => void;
  /** Reserves one of the session's slots for connections; `null` when all are in use. */
  readonly reserveSlot: (session: Session) => Promise<ConnectionSlot | null>;
}

/** An accepted handshake, or the row of WS-2 that refused it. */
export type HandshakeVerdict<Session> =
  | {
      readonly kind: 'accepted';
      readonly session: Session;
      readonly connector: MessagingConnector;
      /** The host that the token was minted for. */
      readonly host: string;
      readonly parameters: HandshakeParameters;
      readonly slot: ConnectionSlot;
    }
  /** `isGuess`: whether the access token is unknown. */
  | { readonly kind: 'refused'; readonly error: SetupError; readonly isGuess: boolean };

/**
 * Runs the checks of WS-2 in order, with WS-7 and TOK-6 as part of row 2. An accepted handshake has reserved a slot
 * (row 5), which the caller must release.
 */
export async function checkHandshake<Session extends JoinableSession>(
  request: Pick<IncomingMessage, 'url' | 'headers'>,
  checks: HandshakeChecks<Session>,
): Promise<HandshakeVerdict<Session>> {
  const parameters = readHandshakeParameters(request.url ?? '');
  if (parameters === null) return refused(SETUP_ERRORS.invalidConnectionParameters);
  const claims = await checks.tokens.verify(parameters.accessToken);
  if (claims === null)
    return refused(
      SETUP_ERRORS.authenticationFailed,
      !(await checks.tokens.isExpired(parameters.accessToken)),
    );
  const connector = await checks.connectors.findById(claims.connectorId);
  const origin = request.headers.origin ?? null;
  if (!admitsHost(connector, claims.host)) {
    return refused(SETUP_ERRORS.authenticationFailed);
  }
  const isOriginAllowed = matchesOrigin(connector.hosts, origin, connector.enforceOrigin);
  checks.onOrigin(connector, origin, isOriginAllowed);
  if (!isOriginAllowed) return refused(SETUP_ERRORS.authenticationFailed);
  const session = await checks.findSession(parameters.sessionId, connector);
  if (session === null) return refused(SETUP_ERRORS.sessionNotFound);
  if (session.identity !== claims.identity) return refused(SETUP_ERRORS.authenticationFailed);
  const slot = await checks.reserveSlot(session);
  if (slot === null) return refused(SETUP_ERRORS.connectionLimitExceeded);
  return { kind: 'accepted', session, connector, host: claims.host, parameters, slot };
}

function refused(
  error: SetupError,
  isGuess = false,
): { readonly kind: 'refused'; readonly error: SetupError; readonly isGuess: boolean } {
  return { kind: 'refused', error, isGuess };
}
