import { createHmac } from 'node:crypto';
import { CREDENTIALS } from './example-platform.ts';

/** Signs attributes of the visitor for this session, like the customer's backend (section 15). */
export async function signContext(
  url: string,
  { session_id, access_token }: Readonly<Record<string, string>>,
): Promise<string> {
  const query = `session_id=${session_id}&access_token=${access_token}`;
  const contextId = await new Promise<string>((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?${query}`);
    socket.onerror = () => reject(new Error('The socket for the context could not be opened.'));
    socket.onmessage = ({ data }) => {
      resolve(JSON.parse(String(data)).payload.events[0].payload.context_id);
      socket.close();
    };
  });
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const claims = { sub: contextId, iat, exp: iat + 30, ctx: { plan: 'gold' } };
  const signed = `${encode({ alg: 'HS256', kid: 'key-1' })}.${encode(claims)}`;
  const signature = createHmac('sha256', CREDENTIALS.context_secret).update(signed).digest('base64url');
  return `${signed}.${signature}`;
}
