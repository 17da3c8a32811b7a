import { randomBytes } from 'node:crypto';
import type { Attack } from '../../attack.ts';
import { ask, outcomeOf } from '../../peers/hostile-http.ts';

/** Guesses of connector tokens, at the route that mints access tokens and at the chat in turns. */
export const connectorGuesses: Attack = {
  name: 'connector-guesses',
  summary: 'guesses connector tokens where access tokens are made and at the chat in turns',
  allowed: ['HTTP 401', 'HTTP 429'],
  required: ['HTTP 401', 'HTTP 429', 'told when to come back'],
  async run(context) {
    const { account, attackerProject, chatKey, honestToken, host } = context.stack;
    const address = context.nextAddress();
    await context.repeat(8, { small: 300, full: 20_000 }, async (index) => {
      const guess = `${honestToken.slice(0, 12)}${randomBytes(24).toString('base64url')}`;
      const isChat = index % 4 === 3;
      const answer = await ask(context, {
        target: 'platform',
        path: isChat ? `/v1/${account}/${attackerProject}/chat/create` : '/api/v1/access-token',
        headers: {
          'X-Token': guess,
          'X-Host': host,
          'Content-Type': 'application/json',
          ...(isChat && { 'X-Api-Key': chatKey }),
        },
        body: '{}',
        address: index % 2 === 0 ? address : context.nextAddress(),
      });
      context.count(outcomeOf(answer));
      if (answer.status === 429 && Number(answer.headers['retry-after']) >= 1)
        context.count('told when to come back');
    });
  },
};
