/** Values that a canned reply may refer to. */
export interface ReplyValues {
  readonly person: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly page: Readonly<Record<string, unknown>>;
  readonly handoff: Readonly<Record<string, unknown>>;
}

const DEFAULT = String.raw`(?:\|([^{}|]{0,200}))?`;
const LONG = String.raw`\{\{ *(person|(?:state|page|handoff)\.[\w.-]{1,128}) *${DEFAULT}\}\}`;
const SHORT = String.raw`(?<!\{)\{ *(name|agent) *${DEFAULT}\}(?!\})`;
const PLACEHOLDER = new RegExp(`( ?)(?:${LONG}|${SHORT})`, 'g');
/** Of values in a reply, because visitors choose some of them and a reply may name them a thousand times. */
const MAX_VALUE_CHARACTERS = 10_000;
const SHORT_NAMES: Readonly<Record<string, string>> = { name: 'page.name', agent: 'person' };

/**
 * Fills in a canned reply: `{name}` is the visitor, `{agent}` the person who answers; also `{{person}}`, `{{page.NAME}}`,
 * `{{state.NAME}}`, `{{handoff.NAME}}`. Each may have a default after `|`. Without a value and a default, the space before
 * it is removed too. A value counts as absent where the reply would have more than 10,000 characters of values. The person
 * sees the result before it is sent.
 *
 * @example
 * fillReply('Hello {name|there}, I am {agent}.', values); // 'Hello Ana, I am Grace.'
 */
export function fillReply(text: string, values: ReplyValues): string {
  let left = MAX_VALUE_CHARACTERS;
  return text.replace(
    PLACEHOLDER,
    (_, space: string, path = '', otherwise = '', short = '', shortOtherwise = '') => {
      const value = (SHORT_NAMES[short] ?? path).split('.').reduce(ownValue, values);
      const whole = ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
      const written = whole.length > left ? '' : whole;
      left -= written.length;
      const filled = written || otherwise || shortOtherwise;
      return filled === '' ? '' : space + filled;
    },
  );
}

function ownValue(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null && Object.hasOwn(from, name)
    ? (from as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
