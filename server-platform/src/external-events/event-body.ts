/** What an event says, as it is stored and as its id is looked for in it. Source: EE-6. */
export type EventBody =
  | { readonly kind: 'json'; readonly data: unknown }
  /** `data` holds a list where a field stands several times. */
  | {
      readonly kind: 'form';
      readonly data: Readonly<Record<string, string | readonly string[]>>;
      readonly fields: URLSearchParams;
    }
  | { readonly kind: 'xml' | 'text'; readonly data: string };

/** A body, or why it cannot be taken. */
export type ReadEventBody =
  | { readonly status: 'read'; readonly contentType: string; readonly body: EventBody }
  | { readonly status: 'refused'; readonly reason: string };

// Deeper than anything that is meant, and far from where parsers and databases run out of stack.
const MAX_DEPTH = 200;

/**
 * Reads a body by its content type. `text/xml` and `application/…+json` are read as their plain kin, no content type
 * as `text/plain`. Source: section 6.
 */
export function readEventBody(bytes: Uint8Array, contentType: string | null): ReadEventBody {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const kind = kindOf(type);
  const decoder = kind === null ? null : decoderFor(parameters);
  if (kind === null || decoder === null) return { status: 'refused', reason: 'Unsupported content type' };
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { status: 'refused', reason: 'Request body is not text in the character set it names' };
  }
  const body = parse(kind, text);
  return typeof body === 'string'
    ? { status: 'refused', reason: body }
    : { status: 'read', contentType: type === '' ? 'text/plain' : type, body };
}

function kindOf(type: string): EventBody['kind'] | null {
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'application/xml' || type === 'text/xml') return 'xml';
  return type === 'text/plain' || type === '' ? 'text' : null;
}

function decoderFor(parameters: readonly string[]): InstanceType<typeof TextDecoder> | null {
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const label = charset === undefined ? 'utf-8' : charset.slice('charset='.length).replaceAll('"', '');
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return null;
  }
}

/** The body, or what is wrong with it. */
function parse(kind: EventBody['kind'], text: string): EventBody | string {
  if (kind === 'form') {
    const fields = new URLSearchParams(text);
    const entries = [...new Set(fields.keys())].map((name) => {
      const values = fields.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values] as const;
    });
    return { kind, data: Object.fromEntries(entries), fields };
  }
  if (kind !== 'json') return { kind, data: text };
  try {
    const data: unknown = JSON.parse(text);
    return isDeeperThan(data, MAX_DEPTH) ? 'Request body is nested too deeply' : { kind, data };
  } catch {
    return 'Request body is not valid JSON';
  }
}

function isDeeperThan(value: unknown, limit: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
