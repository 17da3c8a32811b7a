import type { Attack } from '../../attack.ts';
import { outcomeOf } from '../../peers/hostile-http.ts';
import { postEvent } from '../../peers/post-event.ts';

const KEYS = 100_000;

const numbered = Array.from({ length: KEYS }, (_, index) => `k${index}=`).join('&');
/** Forms of just under 1 MB. */
const FORMS: readonly string[] = [
  numbered,
  Array.from({ length: KEYS }, (_, index) => `k${index % 1_000}=1`).join('&'),
  'a&'.repeat(450_000),
  `${'%41'.repeat(300_000)}=1`,
  Array.from({ length: 60_000 }, (_, index) => `__proto__[${index}]=1`).join('&'),
  `id=${'+'.repeat(900_000)}`,
];

/** Forms with 100,000 fields at the external-events webhook. */
export const formKeys: Attack = {
  name: 'form-keys',
  summary: 'posts forms of 1 MB with 100,000 fields to the external-events webhook',
  allowed: [/^HTTP (?:200|202|204|400|413|429)$/],
  required: ['HTTP 400'],
  async run(context) {
    await context.repeat(2, { small: FORMS.length, full: 200 }, async (index) => {
      const body = FORMS[index % FORMS.length] ?? '';
      context.count(outcomeOf(await postEvent(context, 'application/x-www-form-urlencoded', body)));
    });
  },
};
