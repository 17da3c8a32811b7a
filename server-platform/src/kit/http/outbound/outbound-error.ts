/**
 * Why a request to another server failed.
 *
 * | Code | Meaning | What to do |
 * |---|---|---|
 * | `address_refused` | the host has a private address | allow private addresses, or correct the URL |
 * | `unreachable` | no connection, an untrusted certificate, or a broken connection | check address, network,
 * certificate |
 * | `timeout` | a time limit was exceeded; `phase` names it | check the server, or raise the limit |
 * | `too_large` | the body exceeds the limit | check what answers at this address |
 * | `malformed` | the body is not JSON | check what answers at this address |
 * | `upgraded` | the server changed the protocol unasked | check what answers at this address |
 */
export type OutboundErrorCode =
  | 'address_refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'malformed'
  | 'upgraded';

/** The phase that timed out: connecting, the first byte of the body, the next one, or the whole exchange. */
export type OutboundPhase = 'connect' | 'first_byte' | 'idle' | 'total';

interface Details {
  readonly phase?: OutboundPhase;
  /** The system's error code, such as `ECONNREFUSED`. */
  readonly systemCode?: string;
  readonly cause?: unknown;
}

/**
 * A request to another server that got no complete response. The message names only the host: no path, header or body.
 * Recognise it with {@link isOutboundError}.
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

/** Converts the failure of an attempt to an error about the host. */
export function toOutboundError(cause: unknown, host: string): OutboundError {
  // Errors thrown into the connection come back unchanged.
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
