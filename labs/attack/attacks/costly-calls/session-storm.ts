import type { Attack, AttackContext } from '../../attack.ts';
import { askForSession } from '../../peers/ask-for-session.ts';
import { ask, outcomeOf } from '../../peers/hostile-http.ts';

const STORM_MS = { small: 0, full: 3_000 };
// One soon has its share of a minute, also on a slow machine.
const ADDRESSES = { small: 1, full: 2 };
const LANES = 8;
const ROUND = { small: 80, full: 80 };

/** Sessions without end, for a few addresses at the platform and at the token proxy. */
export const sessionStorm: Attack = {
  name: 'session-storm',
  summary: 'makes access tokens and sessions without end, at the platform and at the token proxy',
  seconds: 15,
  allowed: ['HTTP 200', 'HTTP 429', /^proxy: HTTP (?:200|429|503)$/],
  required: ['HTTP 200', 'HTTP 429', 'proxy: HTTP 429'],
  async run(context) {
    const addresses = Array.from({ length: context.pick(ADDRESSES) }, () => context.nextAddress());
    const proxyAddress = context.nextAddress();
    const endsAt = performance.now() + context.pick(STORM_MS);
    const refused = { platform: false, proxy: false };
    let calls = 0;
    // The peers have the lowest priority: on a machine that does other work, three seconds are a dozen sessions for them.
    while (!context.signal.aborted && !(performance.now() > endsAt && refused.platform && refused.proxy)) {
      await context.repeat(LANES, ROUND, async () => {
        calls += 1;
        const isProxy = calls % 3 === 0;
        const status = isProxy
          ? await startAtProxy(context, proxyAddress)
          : await startAtPlatform(context, addresses[calls % addresses.length] ?? '');
        if (status === 429) refused[isProxy ? 'proxy' : 'platform'] = true;
      });
    }
  },
};

async function startAtProxy(context: AttackContext, address: string): Promise<number> {
  const answer = await ask(context, {
    target: 'proxy',
    path: '/v1/session',
    headers: { Origin: `https://${context.stack.host}`, 'Content-Type': 'application/json' },
    body: '{"connector":"attackers"}',
    address,
  });
  // Pending calls are abandoned when the time is over.
  if (!context.signal.aborted) context.count(`proxy: ${outcomeOf(answer)}`);
  return answer.status;
}

async function startAtPlatform(context: AttackContext, address: string): Promise<number> {
  const { token, session } = await askForSession(context, context.stack.attackerToken, address);
  const answers = session === null ? [token] : [token, session];
  if (!context.signal.aborted) for (const answer of answers) context.count(outcomeOf(answer));
  return (session ?? token).status;
}
