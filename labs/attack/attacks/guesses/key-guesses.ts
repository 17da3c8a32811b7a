import { randomBytes } from 'node:crypto';
import type { Attack } from '../../attack.ts';
import { ask, outcomeOf } from '../../peers/hostile-http.ts';

/** Guesses of API keys: from one address without end, and from many addresses with the beginning of a real key. */
export const keyGuesses: Attack = {
  name: 'key-guesses',
  summary: 'guesses API keys, from one address and from many, with the beginning of a real one',
  allowed: ['HTTP 401', 'HTTP 429'],
  required: ['HTTP 401', 'HTTP 429', 'told when to come back'],
  async run(context) {
    const { account, honestProject, honestKey } = context.stack;
    const address = context.nextAddress();
    const prefix = honestKey.slice(0, 12);
    const paths = [
      `/v3/${account}/${honestProject}/conversations`,
      `/v1/${account}/${honestProject}/handoff_state`,
      '/v1/alerts',
    ];
    await context.repeat(8, { small: 200, full: 20_000 }, async (index) => {
      const answer = await ask(context, {
        target: 'platform',
        method: 'GET',
        path: paths[index % paths.length] ?? '/',
        headers: { 'X-Api-Key': `${prefix}${randomBytes(24).toString('base64url')}` },
        address: index % 2 === 0 ? address : context.nextAddress(),
      });
      context.count(outcomeOf(answer));
      if (answer.status === 429 && Number(answer.headers['retry-after']) >= 1)
        context.count('told when to come back');
    });
  },
};
