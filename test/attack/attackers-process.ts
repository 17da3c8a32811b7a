import { setPriority } from 'node:os';
import { ATTACKERS_READY, type AttackersReport, type AttackersRequest } from './attackers-messages.ts';
import { ATTACKS } from './attacks.ts';
import { createContext } from './create-context.ts';

// The hostile peers, in a process of their own. On the Internet they have machines of their own as well, so this
// process has the lowest priority: what is measured is the stack under attack and not two processes at one core.

const LOWEST_PRIORITY = 19;

async function run(request: AttackersRequest): Promise<AttackersReport> {
  const attack = ATTACKS.find(({ name }) => name === request.attack);
  if (attack === undefined) return { outcomes: {}, failure: `There is no attack "${request.attack}".` };
  const { context, outcomes, stop } = createContext(request);
  try {
    await attack.run(context);
    return { outcomes: Object.fromEntries(outcomes), failure: null };
  } catch (error) {
    return { outcomes: Object.fromEntries(outcomes), failure: String(error) };
  } finally {
    stop();
  }
}

setPriority(LOWEST_PRIORITY);
process.on('message', (message) => {
  // Sent by `attackers.ts` from the same type.
  void run(message as AttackersRequest).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit(0));
process.send?.(ATTACKERS_READY);
