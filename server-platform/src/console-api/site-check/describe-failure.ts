import { isOutboundError } from '../../kit/http/outbound/index.ts';

const CERTIFICATE = /^(?:CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Describes in plain words why a request failed, with the remedy. Throws errors that are no `OutboundError`. */
export function describeFailure(error: unknown, url: URL): string {
  if (!isOutboundError(error)) throw error;
  const { host } = url;
  switch (error.code) {
    case 'address_refused':
      return `${host} has a private address, such as one of this machine or network, and this installation does not let the platform call those. Operators can allow it with “webhook_private_addresses” under “rest”. Until then, run Natter.doctor() in the browser.`;
    case 'timeout':
      return `${host} took too long to answer. Try again. If the error stays, ask the operator of that server.`;
    case 'too_large':
      return `${host} answers with more than a page should hold, so it was not read to its end. Check the address.`;
    case 'unreachable':
      return describeUnreachable(error.systemCode ?? '', host);
    default:
      return `${host} does not answer as a web server does. Check the address.`;
  }
}

function describeUnreachable(code: string, host: string): string {
  if (code === 'ENOTFOUND' || code === 'ENODATA')
    return `There is no server by the name ${host}. Check the spelling of the address.`;
  if (code === 'ECONNREFUSED')
    return `No web server runs at ${host}. Check the address, and that the site is up.`;
  if (CERTIFICATE.test(code))
    return `The certificate of ${host} is not valid (${code}), so browsers warn visitors or refuse the page. Renew or correct it.`;
  return `${host} cannot be reached${code === '' ? '' : ` (${code})`}. Check the address and the network.`;
}
