import { createHmac, randomUUID } from 'node:crypto';
import type { Attack } from '../../attack.ts';
import { ask, outcomeOf } from '../../peers/hostile-http.ts';
import { type HostileSession, join, startSession } from '../../peers/hostile-session.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Access tokens forged from a real one. */
function forge({ accessToken }: HostileSession): readonly string[] {
  const [header = '', payload = '', signature = ''] = accessToken.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
  const stranger = encode({ ...claims, sub: randomUUID() });
  const weak = (key: string): string =>
    createHmac('sha256', key).update(`${header}.${stranger}`).digest('base64url');
  return [
    `${header}.${stranger}.${signature}`,
    `${encode({ alg: 'none' })}.${stranger}.`,
    `${encode({ alg: 'HS256', kid: '../../../test/etc/passwd' })}.${stranger}.${signature}`,
    `${encode({ alg: 'RS256' })}.${stranger}.${signature}`,
    `${header}.${stranger}.${weak('secret')}`,
    `${header}.${stranger}.${weak('')}`,
    `${header}.${encode({ ...claims, exp: 1e12 })}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    `${header}.${'A'.repeat(12_000)}.${signature}`,
    'a.b.c',
    '.'.repeat(12_000),
  ];
}

/** Handshakes and sessions with forged access tokens. */
export const accessTokenGuesses: Attack = {
  name: 'access-token-guesses',
  summary: 'opens sockets and sessions with forged access tokens',
  allowed: ['HTTP 401', 'HTTP 429'],
  required: ['HTTP 401'],
  async run(context) {
    const session = await startSession(context);
    const tokens = forge(session);
    await context.repeat(8, { small: tokens.length * 4, full: 20_000 }, async (index) => {
      const accessToken = tokens[index % tokens.length] ?? '';
      if (index % 2 === 0) {
        const { status, socket } = await join(context, { ...session, accessToken });
        context.count(status === 0 ? 'dropped' : `HTTP ${status}`);
        await socket?.leave();
        return;
      }
      const answer = await ask(context, {
        target: 'platform',
        path: '/api/v1/sessions',
        headers: { Authorization: `Bearer ${accessToken}` },
        body: '{}',
      });
      context.count(outcomeOf(answer));
    });
  },
};
