import type { ContextVariables } from './conversation-variables.ts';

// {{page.first_name}}, {{attributes.order.id}}, with a text for a missing value: {{page.first_name|there}}.
const PLACEHOLDER = /\{\{ *(page|attributes)\.([\w.-]{1,128}) *(?:\|([^{}|]{0,200}))?\}\}/g;

const MAX_VALUE_CHARACTERS = 200;

/**
 * Puts facts about the conversation into a text of the configuration or of an article: `{{page.NAME}}` and
 * `{{attributes.NAME}}`, a dot leading into objects, `|` before the text for a missing fact
 * (default: nothing). Values are shown as written: their Markdown has no effect.
 *
 * Never call it with text that a visitor wrote: it would read the facts out to them.
 *
 * @example
 * fillTemplate('Hello {{page.first_name|there}}!', { page: { first_name: 'Ana' }, attributes: {} }); // 'Hello Ana!'
 */
export function fillTemplate(text: string, variables: ContextVariables): string {
  return text.replace(PLACEHOLDER, (_, group: 'page' | 'attributes', path: string, otherwise = '') => {
    const value = valueAt(variables[group], path);
    return value === null ? otherwise : escapeMarkdown(value.slice(0, MAX_VALUE_CHARACTERS));
  });
}

function valueAt(variables: Readonly<Record<string, unknown>>, path: string): string | null {
  // A name may hold dots itself; it goes before a path.
  const value = Object.hasOwn(variables, path)
    ? variables[path]
    : path.split('.').reduce(ownValue, variables);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim() : null;
}

function ownValue(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null && Object.hasOwn(from, name)
    ? (from as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Only the characters that begin a link, emphasis, code or HTML within a line, so that names stay as they are. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>]/g, '\\$&');
}
