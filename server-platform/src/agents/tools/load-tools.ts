import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import type { AgentTool } from './agent-tool.ts';

const NAME = /^[a-zA-Z0-9_]{1,64}$/;

const toolSchema = v.looseObject({
  name: v.pipe(v.string(), v.regex(NAME, 'its name must be letters, digits and underscores')),
  description: v.pipe(v.string(), v.nonEmpty('its description is empty')),
  input: v.looseObject({ properties: v.record(v.string(), v.unknown()) }),
  triggers: v.optional(
    v.array(
      v.looseObject({
        examples: v.pipe(v.array(v.string()), v.minLength(1, 'a trigger needs an example')),
        slots: v.optional(
          v.record(v.string(), v.union([v.instance(RegExp), v.record(v.string(), v.array(v.string()))])),
        ),
      }),
    ),
  ),
  run: v.custom<AgentTool['run']>((value) => typeof value === 'function', 'it needs a function "run"'),
});

const isTool = (value: unknown): value is AgentTool => v.is(toolSchema, value);

/**
 * Imports the tools of an agent: an ES module that exports a list of them as `tools`.
 *
 * Rejects with a message that names the module, the tool and the fault.
 */
export async function loadTools(path: string): Promise<readonly AgentTool[]> {
  const module: unknown = await import(/* @vite-ignore */ pathToFileURL(path).href).catch(
    (cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`The tools in ${path} cannot be imported: ${why}`, { cause });
    },
  );
  const list: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, 'tools') : null;
  if (!Array.isArray(list)) throw new Error(`${path} must export a list of tools as "tools".`);
  const tools = list.filter(isTool);
  const wrong = list.findIndex((tool) => !isTool(tool));
  if (wrong !== -1) {
    const [issue] = v.safeParse(toolSchema, list[wrong]).issues ?? [];
    const place = issue === undefined ? '' : (v.getDotPath(issue) ?? '');
    throw new Error(
      `Correct the tool in place ${wrong + 1} of ${path}: ${place} ${issue?.message ?? ''}`.trim(),
    );
  }
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw new Error(`${path} has two tools called "${twice}".`);
  return tools;
}
