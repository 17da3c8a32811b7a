import type { AttackContext } from '../attack.ts';
import { ask, type HostileAnswer } from './hostile-http.ts';

/** A call of the desk; it has the header that every change needs. */
export async function callDesk(
  context: AttackContext,
  methodAndPath: string,
  given: {
    readonly cookie?: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly address?: string;
  } = {},
): Promise<HostileAnswer> {
  const [method = 'GET', path = ''] = methodAndPath.split(' ');
  const { cookie, body, headers, address } = given;
  return await ask(context, {
    target: 'platform',
    method,
    path: `/desk/api${path}`,
    headers: { 'X-Natter-Desk': '1', ...(cookie !== undefined && { Cookie: cookie }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(address !== undefined && { address }),
  });
}

/** Signs in with the password that the attackers have, and resolves with the cookies. Rejects when that is refused. */
export async function signIn(context: AttackContext): Promise<string> {
  const { deskEmail: email, deskPassword: password } = context.stack;
  const { status, headers, body } = await callDesk(context, 'POST /sign-in', { body: { email, password } });
  const cookie = /__Host-natter-desk=[\w-]{43}/.exec(headers['set-cookie'] ?? '')?.[0];
  if (status === 200 && cookie !== undefined) return cookie;
  throw new Error(`The attackers could not sign in at the desk: ${status} ${body}`);
}
