import { spawnSync } from 'node:child_process';
import { setPriority } from 'node:os';
import { ATTACKERS_READY, type AttackersReport, type AttackersRequest } from './attackers-messages.ts';
import { ATTACKS } from './attacks.ts';
import { createContext } from './create-context.ts';

// The hostile peers, in a process of their own. On the Internet they have machines of their own as well, so this
// process runs only while no other one wants the core: what is measured is the stack under attack and not two
// processes at one core.

const LOWEST_PRIORITY = 19;

function yieldToOthers(): void {
  setPriority(LOWEST_PRIORITY);
  // The idle class of Linux. A process of the lowest priority still keeps a core for some milliseconds once it has it;
  // one of the idle class leaves it at once. Where the command is missing, as on macOS, the priority has to do.
  if (process.platform === 'linux')
    spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)]);
}

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

yieldToOthers();
process.on('message', (message) => {
  // Sent by `attackers.ts` from the same type.
  void run(message as AttackersRequest).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit(0));
process.send?.(ATTACKERS_READY);
