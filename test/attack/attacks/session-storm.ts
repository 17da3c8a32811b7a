import type { Attack } from '../attack.ts';
import { ask, outcomeOf } from '../hostile-http.ts';

/** Sessions without end, for a few addresses at the platform and at the token proxy. */
export const sessionStorm: Attack = {
  name: 'session-storm',
  summary: 'makes access tokens and sessions without end, at the platform and at the token proxy',
  allowed: ['HTTP 200', 'HTTP 429', /^proxy: HTTP (?:200|429|503)$/],
  required: ['HTTP 200', 'HTTP 429', 'proxy: HTTP 429'],
  async run(context) {
    const { attackerToken, host } = context.stack;
    const addresses = Array.from({ length: context.pick({ small: 2, full: 4 }) }, context.nextAddress);
    const proxyAddress = context.nextAddress();
    await context.repeat(8, { small: 240, full: 20_000 }, async (index) => {
      const address = addresses[index % addresses.length] ?? '';
      if (index % 3 === 2) {
        const answer = await ask(context, {
          target: 'proxy',
          path: '/v1/session',
          headers: { Origin: `https://${host}`, 'Content-Type': 'application/json' },
          body: '{"connector":"attackers"}',
          address: proxyAddress,
        });
        context.count(`proxy: ${outcomeOf(answer)}`);
        return;
      }
      const token = await ask(context, {
        target: 'platform',
        path: '/api/v1/access-token',
        headers: { 'X-Token': attackerToken, 'X-Host': host },
        body: '{}',
        address,
      });
      context.count(outcomeOf(token));
      if (token.status !== 200) return;
      const { access_token: accessToken } = JSON.parse(token.body) as { readonly access_token: string };
      const session = await ask(context, {
        target: 'platform',
        path: '/api/v1/sessions',
        headers: { Authorization: `Bearer ${accessToken}` },
        body: '{}',
        address,
      });
      context.count(outcomeOf(session));
    });
  },
};
