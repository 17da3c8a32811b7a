/**
 * Why a request to another server failed.
 *
 * | Code | Meaning | What to do |
 * |---|---|---|
 * | `address_refused` | the host has an address that is not public | allow private addresses, or correct the URL |
 * | `unreachable` | no connection, a certificate that is not trusted, or a connection that broke | check address, network, certificate |
 * | `timeout` | a limit of time was exceeded; `phase` says which | check the server, or raise the limit |
 * | `too_large` | the body has more bytes than the limit | check what answers at this address |
 * | `malformed` | the body is no JSON | check what answers at this address |
 * | `upgraded` | the server changed the protocol unasked | check what answers at this address |
 */
export type OutboundErrorCode =
  | 'address_refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'malformed'
  | 'upgraded';

/** The wait that took too long: for a connection, for the first byte of the body, for its next one, or for all of it. */
export type OutboundPhase = 'connect' | 'first_byte' | 'idle' | 'total';

interface Details {
  readonly phase?: OutboundPhase;
  /** The system's name of the fault, such as `ECONNREFUSED`. */
  readonly systemCode?: string;
  readonly cause?: unknown;
}

/**
 * A request to another server that got no whole answer. The message names the host and nothing else of the request: no
 * path, no header, no body. Recognise it with {@link isOutboundError}.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: OutboundErrorCode;
  readonly phase: OutboundPhase | null;
  readonly systemCode: string | null;

  constructor(code: OutboundErrorCode, message: string, { phase, systemCode, cause }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.phase = phase ?? null;
    this.systemCode = systemCode ?? null;
  }
}

/** Whether a caught value is an {@link OutboundError}. */
export function isOutboundError(error: unknown): error is OutboundError {
  return error instanceof Error && error.name === 'OutboundError';
}

/** What a failed attempt was, as an error about the host. */
export function toOutboundError(cause: unknown, host: string): OutboundError {
  // Our own errors come back from the connection as they were thrown into it.
  if (isOutboundError(cause)) return cause;
  const systemCode = findSystemCode(cause);
  const named = systemCode === undefined ? '' : ` (${systemCode})`;
  const message = `${host} cannot be reached${named}. Check its address, its certificate and the network.`;
  return new OutboundError('unreachable', message, {
    cause,
    ...(systemCode === undefined ? {} : { systemCode }),
  });
}

function findSystemCode(cause: unknown): string | undefined {
  for (let current = cause; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return undefined;
}
