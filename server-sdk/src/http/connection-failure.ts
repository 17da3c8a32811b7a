import { NatterError } from '../errors/natter-error.ts';
import { describeFailure, findCode } from './redact.ts';

/** Details of a failed connection, in the `cause` of a `NETWORK_ERROR`. */
export interface ConnectionCause extends Error {
  /** Host and port of the call. */
  readonly host: string;
  /** Such as `ECONNREFUSED` or `ENOTFOUND`; null when the runtime reports none. */
  readonly code: string | null;
}

/** The error for a failed or broken connection. Quotes nothing that could contain a key. */
export function connectionFailure(
  thrown: unknown,
  call: { readonly url: string; readonly correlationId: string },
  secrets: readonly string[],
): NatterError {
  const { host } = new URL(call.url);
  const code = findCode(thrown);
  const said = describeFailure(thrown, secrets);
  const cause: ConnectionCause = Object.assign(new Error(said), { host, code });
  const text = `The connection to ${host} failed: ${said}`;
  const { correlationId } = call;
  return new NatterError({ code: 'NETWORK_ERROR', text, correlationId, cause, ...adviseOnConnection(code) });
}

function adviseOnConnection(code: string | null): { readonly advice?: string } {
  if (code === null) return {};
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { advice: 'Its name leads nowhere: check the host in baseUrl or monitorBaseUrl, and the region.' };
  if (code === 'ECONNREFUSED')
    return { advice: 'Nothing listens there: check host and port, and that the platform runs.' };
  if (/CERT|SIGNATURE|SSL|TLS|ISSUER/.test(code))
    return {
      advice:
        'Its certificate is not trusted: check the host, or name your own authority with NODE_EXTRA_CA_CERTS.',
    };
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET')
    return {
      advice: 'The connection broke off: try again. A call that changes something may have been carried out.',
    };
  return {};
}
