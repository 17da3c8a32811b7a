import type { AgentTool } from './agent-tool.ts';

/** The same tool, whose failures are reported. The agent goes on without its answer, and the visitor reads nothing of it. */
export function reportFailures(tool: AgentTool, onFailure: (error: unknown) => void): AgentTool {
  return {
    ...tool,
    async run(input, context) {
      try {
        return await tool.run(input, context);
      } catch (cause) {
        // A turn that was ended takes its calls with it.
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
