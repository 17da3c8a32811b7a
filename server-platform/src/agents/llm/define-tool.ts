import type { ToolDefinition } from './chat-protocol.ts';

/** Describes a tool in the shape of the wire; `properties` are JSON Schemas by the name of the argument. */
export function defineTool(
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>> = {},
  required: readonly string[] = [],
): ToolDefinition {
  const parameters = { type: 'object', properties, required, additionalProperties: false };
  return { type: 'function', function: { name, description, parameters } };
}
