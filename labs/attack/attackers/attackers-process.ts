import { spawnSync } from 'node:child_process';
import { setPriority } from 'node:os';
import { ATTACKS } from '../attacks.ts';
import { ATTACKERS_READY, type AttackersReport, type AttackersRequest } from './attackers-messages.ts';
import { createContext } from './create-context.ts';

// The hostile peers, in a separate process. On the Internet they have separate machines as well, so in the full form,
// which measures, this process runs only while no other one wants the core: the figures show the stack under attack and
// not two processes at one core. In the small form other work may want both cores all the time.

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
  if (!request.isSmall) yieldToOthers();
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

process.on('message', (message) => {
  // Sent by `attackers.ts` from the same type.
  void run(message as AttackersRequest).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit(0));
process.send?.(ATTACKERS_READY);
