import type { AttackContext } from '../attack.ts';
import { ask, type HostileAnswer } from './hostile-http.ts';

/** Calls the token proxy for the attackers' connector, without an origin. */
export async function callProxy(context: AttackContext, path: string, body: object): Promise<HostileAnswer> {
  return await ask(context, {
    target: 'proxy',
    path,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ connector: 'attackers', ...body }),
  });
}

/** Starts a session at the token proxy and resolves with its ticket. Rejects when the proxy refuses even that. */
export async function startVisit(context: AttackContext): Promise<string> {
  const { status, body } = await callProxy(context, '/v1/session', {});
  const { resume_ticket: ticket } = status === 200 ? JSON.parse(body) : { resume_ticket: null };
  if (typeof ticket === 'string') return ticket;
  throw new Error(`The attackers were given no ticket: ${status} ${body}`);
}
