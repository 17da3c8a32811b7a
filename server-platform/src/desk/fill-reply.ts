/** Facts that a canned reply may refer to. */
export interface ReplyFacts {
  readonly person: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly page: Readonly<Record<string, unknown>>;
  readonly handoff: Readonly<Record<string, unknown>>;
}

const PLACEHOLDER = /( ?)\{\{ *(person|(?:state|page|handoff)\.[\w.-]{1,128}) *(?:\|([^{}|]{0,200}))?\}\}/g;

/**
 * Fills in a canned reply: `{{person}}`, `{{page.NAME}}`, `{{state.NAME}}`, `{{handoff.NAME}}`, with an optional
 * default after `|`. Without a fact and a default, the space before it is removed too. The person sees the result
 * before it is sent.
 *
 * @example
 * fillReply('Hello {{page.first_name|there}}, I am {{person}}.', facts); // 'Hello Ana, I am Grace.'
 */
export function fillReply(text: string, facts: ReplyFacts): string {
  return text.replace(PLACEHOLDER, (_, space: string, path: string, otherwise = '') => {
    const value = path.split('.').reduce(ownValue, facts);
    const fact = ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
    const filled = fact || otherwise;
    return filled === '' ? '' : space + filled;
  });
}

function ownValue(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null && Object.hasOwn(from, name)
    ? (from as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
