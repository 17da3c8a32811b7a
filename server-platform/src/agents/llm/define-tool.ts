import type { ToolDefinition } from './chat-protocol.ts';

/** Describes a tool in the wire format; `properties` are JSON Schemas by name of the argument. */
export function defineTool(
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>> = {},
  required: readonly string[] = [],
): ToolDefinition {
  const parameters = { type: 'object', properties, required, additionalProperties: false };
  return { type: 'function', function: { name, description, parameters } };
}
