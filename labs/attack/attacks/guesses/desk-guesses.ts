import { randomBytes } from 'node:crypto';
import type { Attack } from '../../attack.ts';
import { callDesk } from '../../peers/hostile-desk.ts';
import { outcomeOf } from '../../peers/hostile-http.ts';

/** Strangers at the desk. */
export const deskGuesses: Attack = {
  name: 'desk-guesses',
  summary:
    'guesses passwords and cookies of the desk, from one address and from many, and asks from other pages',
  seconds: 6,
  allowed: ['HTTP 400', 'HTTP 401', 'HTTP 403', 'HTTP 429'],
  required: ['HTTP 401', 'HTTP 403', 'HTTP 429', 'told when to come back'],
  async run(context) {
    const address = context.nextAddress();
    await context.repeat(16, { small: 120, full: 20_000 }, async (index) => {
      const answer = await strike(index);
      context.count(outcomeOf(answer));
      if (answer.status === 429 && Number(answer.headers['retry-after']) >= 1)
        context.count('told when to come back');
    });

    function strike(index: number): ReturnType<typeof callDesk> {
      const random = randomBytes(32).toString('base64url');
      const guess = { email: `grace${index}@example.com`, password: random };
      switch (index % 4) {
        case 0:
          return callDesk(context, 'POST /sign-in', { body: guess, address });
        case 1:
          return callDesk(context, 'POST /sign-in', { body: { ...guess, email: ['\u0000', {}][index % 2] } });
        case 2:
          return callDesk(context, 'GET /inbox', {
            cookie: `__Host-natter-desk=${random}; ${'a=b; '.repeat(2_000)}`,
          });
        default:
          return callDesk(context, 'POST /presence', {
            cookie: `__Host-natter-desk=${random}`,
            headers: { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
            body: { presence: 'away' },
          });
      }
    }
  },
};
