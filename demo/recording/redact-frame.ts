/** Fields whose values are secrets in any form. */
const SECRET_FIELDS = /^(?:.*_)?(?:token|ticket|secret|password|authorization|api_key)$/i;
/** Tokens by their form: signed ones, connector tokens, API keys. */
const SECRET_TEXT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\bn(?:ct|ak)_[\w-]{8,}|\bBearer\s+\S+/g;
const ID_FIELD = /_id$/;
/** UUIDs, and ids of 26 characters with a prefix, such as external event ids. */
const ID_TEXT = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[a-z]+_[0-9A-Z]{26}\b/g;
const LOCAL_ORIGIN = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?/g;
const EMAIL = /\b[\w.+-]+@(?![\w.-]*example\b)(?![\w.-]+\.example\b)[\w-]+(?:\.[\w-]+)+/g;
const REMOVED = '[removed]';

/**
 * Replaces private values in the frames of a recording: tokens by a placeholder, ids by numbered
 * names (the same id by the same name), addresses of this machine by `https://site.example`, and email addresses.
 */
export class FrameRedactor {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  redact<Value>(value: Value): Value {
    // Every branch of `#value` returns a value of the same shape as it was given.
    return this.#value(value, '') as Value;
  }

  #value(value: unknown, field: string): unknown {
    if (typeof value === 'string') return this.#text(value, field);
    if (Array.isArray(value)) return value.map((item) => this.#value(item, field));
    if (typeof value !== 'object' || value === null) return value;
    const kind = ['', 'events', 'frame'].includes(field) ? 'event' : field;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        this.#value(inner, name === 'id' ? `${kind}_id` : name),
      ]),
    );
  }

  #text(text: string, field: string): string {
    if (SECRET_FIELDS.test(field)) return REMOVED;
    if (ID_FIELD.test(field) && text !== '') return this.#nameOf(text, field.slice(0, -3));
    return text
      .replace(SECRET_TEXT, REMOVED)
      .replace(LOCAL_ORIGIN, 'https://site.example')
      .replace(ID_TEXT, (id) => this.#nameOf(id, 'id'))
      .replace(EMAIL, 'name@example.com');
  }

  #nameOf(id: string, kind: string): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `${kind}-${count}`;
    this.#names.set(id, name);
    return name;
  }
}
