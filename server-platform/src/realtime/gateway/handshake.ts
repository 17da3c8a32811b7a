import type { IncomingMessage } from 'node:http';
import { matchesOrigin, parseCursor, SETUP_ERRORS, type SetupError } from 'natter/protocol';
import type { AccessTokens } from '../../accounts/tokens/index.ts';
import { admitsHost, type ConnectorDirectory, type MessagingConnector } from '../conversation/index.ts';
import type { ConnectionSlot } from '../sessions/connection-slot.ts';

/** A session that a handshake may join. */
export interface JoinableSession {
  /** Its id as it is stored. A client may spell the id in upper case. */
  readonly id: string;
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
  /** Called for every handshake with a valid token, and whether its origin may use the connector. */
  readonly onOrigin: (connector: MessagingConnector, origin: string | null, isAllowed: boolean) => void;
  /** Reserves one of the session's slots for connections; `null` when all are in use. */
  readonly reserveSlot: (session: Session) => Promise<ConnectionSlot | null>;
}

/** A handshake that may proceed, or the row of WS-2 that stops it. */
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
  /** `isGuess`: the access token is unknown. */
  | { readonly kind: 'refused'; readonly error: SetupError; readonly isGuess: boolean };

/**
 * The checks of WS-2 in their order, with WS-7 and TOK-6 as part of row 2. The slot (row 5) is reserved when it is
 * accepted; the caller releases it.
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
  const session = await checks.findSession(parameters.sessionId);
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
