import type { Attack, AttackContext } from '../../attack.ts';
import { ask, type HostileAnswer, outcomeOf } from '../../peers/hostile-http.ts';

const CALLS = { small: 12, full: 2_000 };
// As many turns as are translated at a time, twice.
const TURNS = { small: 4, full: 16 };
// Nine previews of an account wait at most, each for ten seconds.
const RELEASE_EVERY_MS = 500;
// Pending translations are looked up every five seconds.
const LOOKS = 30;

/** Voice and translation of one account whose endpoints never answer, while another account speaks. */
export const hangingFarEnds: Attack = {
  name: 'hanging-far-ends',
  summary: 'asks for previews and translations of endpoints that do not answer, beside another account',
  seconds: 15,
  allowed: [/^HTTP (?:200|429)$/],
  required: ['HTTP 200', 'HTTP 429', 'other account HTTP 200', 'translations hung'],
  async run(context) {
    await sayMuch(context);
    let isOver = false;
    let hasHung = false;
    const releasing = (async () => {
      for (let look = 0; (look < LOOKS && !hasHung) || !isOver; look += 1) {
        await new Promise((resolve) => setTimeout(resolve, RELEASE_EVERY_MS));
        const spoken = await speak(
          context,
          context.stack.otherMonitoringKey,
          context.stack.otherProject,
          'Hello',
        );
        context.count(`other account ${outcomeOf(spoken)}`);
        hasHung = (await release(context)) || hasHung;
      }
    })();
    await context.repeat(12, CALLS, async (index) => {
      const { monitoringKey, attackerProject } = context.stack;
      context.count(outcomeOf(await speak(context, monitoringKey, attackerProject, `hang ${index}`)));
    });
    isOver = true;
    await releasing;
    if (hasHung) context.count('translations hung');
    // Requests received since.
    await release(context);
  },
};

function speak(context: AttackContext, key: string, project: string, text: string): Promise<HostileAnswer> {
  return ask(context, {
    target: 'platform',
    path: `/v1/agents/${project}/generate-audio`,
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text, language: 'en-GB', config: {}, provider: 'far' }),
  });
}

/** A conversation whose turns have no translation that ends. */
async function sayMuch(context: AttackContext): Promise<void> {
  const { account, translatedProject, translatedToken, translatedKey } = context.stack;
  const call = async (path: string, body: object): Promise<string> => {
    const answer = await ask(context, {
      target: 'platform',
      path: `/v1/${account}/${translatedProject}/chat/${path}`,
      headers: {
        ...{ 'X-Api-Key': translatedKey, 'X-Token': translatedToken },
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    context.count(outcomeOf(answer));
    return answer.body;
  };
  const { conversation_id } = JSON.parse(await call('create', {})) as {
    readonly conversation_id: string;
  };
  for (let turn = 0; turn < context.pick(TURNS); turn += 1)
    await call('respond', { conversation_id, message: `hang ${turn}` });
}

/** Releases all hanging calls; returns whether a translation was among them. */
async function release(context: AttackContext): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${context.stack.farEndPort}/release`, { method: 'POST' });
  return ((await answer.json()) as { readonly translations: number }).translations > 0;
}
