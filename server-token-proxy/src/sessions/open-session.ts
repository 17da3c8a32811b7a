import type { AdmittedRequest } from '../http/admitted-request.ts';
import { authorizeRequest } from '../http/authorize-request.ts';
import type { TicketRequest } from '../http/read-body.ts';
import type { AuthorizeContext } from '../options.ts';
import type { ProxyContext } from '../proxy-context.ts';
import type { TicketContents } from './resume-ticket.ts';

/** Returns the session of a ticket that `authorize` accepts. Throws `RESUME_TICKET_INVALID` or `ORIGIN_NOT_ALLOWED`. */
export async function openSession(
  { options, tickets }: ProxyContext,
  admitted: AdmittedRequest,
  asked: TicketRequest,
  route: AuthorizeContext['route'],
): Promise<TicketContents> {
  const contents = await tickets.open(admitted, asked);
  await authorizeRequest(options, admitted, { route, connector: contents.connector });
  return contents;
}
