import type { AgentTool } from './agent-tool.ts';

/** Wraps a tool so that its failures are reported. The agent continues without its answer; the visitor is not informed. */
export function reportFailures(tool: AgentTool, onFailure: (error: unknown) => void): AgentTool {
  return {
    ...tool,
    async run(input, context) {
      try {
        return await tool.run(input, context);
      } catch (cause) {
        // A cancelled turn aborts its calls, which is not a failure.
        if (!context.signal.aborted) onFailure(asFailure(tool.name, cause));
        throw cause;
      }
    },
  };
}

function asFailure(name: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(`The tool "${name}" failed, and the agent answered without it: ${why}`, { cause });
}
