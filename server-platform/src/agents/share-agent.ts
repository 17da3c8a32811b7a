import { acquireSlot, createFairShares, type RunInShare } from '../kit/http/index.ts';
import type { Agent, AgentAction, AgentTurn } from './agent.ts';
import { AgentError } from './agent-error.ts';

/**
 * Makes the shares of projects in the turns of agents: a project whose model hangs has `atOnce` of its turns, and their
 * connections, under way. More wait, and are failed by the limit for an agent's first action; more than ten times as many
 * are refused at once.
 */
export function createTurnShares(atOnce: number): RunInShare {
  return createFairShares({
    atOnce,
    maxWaiting: 10 * atOnce,
    createRefusal: () =>
      new AgentError(
        'overloaded',
        'Too many turns of the project wait for its agent. Check the model, or raise limits.agentTurnsAtOnce.',
        { retryable: true },
      ),
  });
}

/** Wraps an agent so that its turns run in a project's share and name the project. */
export function shareAgent(agent: Agent, projectId: string, runInShare: RunInShare): Agent {
  return {
    name: agent.name,
    avatarUrl: agent.avatarUrl,
    run: (turn) => runTurn(agent, turn, projectId, runInShare),
  };
}

async function* runTurn(
  agent: Agent,
  turn: AgentTurn,
  projectId: string,
  runInShare: RunInShare,
): AsyncGenerator<AgentAction, void, undefined> {
  // The signal also releases the slot, for an agent that ignores it and never ends.
  const release = await acquireSlot(runInShare, projectId, turn.signal);
  try {
    yield* agent.run({ ...turn, projectId });
  } finally {
    release();
  }
}
