import type { Agent, AgentAction, AgentTurn } from '../../src/agents/index.ts';

/** A scripted agent's turn. */
export type AgentScript = (turn: AgentTurn) => AsyncIterable<AgentAction>;

/** An agent controlled by the test. */
export interface ScriptedAgent extends Agent {
  /** Used for every turn from now on. */
  script: AgentScript;
  /** The turns it was given, in order. */
  readonly turns: readonly AgentTurn[];
}

/** Greets with "Hello!" and answers "You said: …", one action each. */
export async function* echoScript(turn: AgentTurn): AsyncGenerator<AgentAction> {
  yield { type: 'text', text: turn.kind === 'greeting' ? 'Hello!' : `You said: ${turn.text}` };
}

/** Makes an agent that follows `script`. */
export function createScriptedAgent(script: AgentScript = echoScript): ScriptedAgent {
  const turns: AgentTurn[] = [];
  const agent: ScriptedAgent = {
    name: 'Ada',
    avatarUrl: 'https://example.com/ada.png',
    script,
    turns,
    run(turn) {
      turns.push(turn);
      return agent.script(turn);
    },
  };
  return agent;
}

/** A door that a script waits at until the test opens it. */
export interface Door {
  readonly opened: Promise<void>;
  open(): void;
}

/** Makes a closed door. */
export function createDoor(): Door {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
