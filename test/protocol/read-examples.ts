import { readFileSync } from 'node:fs';

/** One example of a page: an HTTP request with its answer, or a frame of a client or the platform. */
export interface Example {
  readonly kind: 'request' | 'answer' | 'client' | 'platform';
  readonly text: string;
  /** Page and line, for messages. */
  readonly place: string;
  /** The heading above it. */
  readonly section: string;
}

/** A request as printed on a page. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const KINDS: Readonly<Record<string, Example['kind']>> = {
  'json client': 'client',
  'json platform': 'platform',
};

/** Reads the text of a page of `docs/protocol`. */
export function readPage(name: string): string {
  return readFileSync(new URL(`../../docs/protocol/${name}`, import.meta.url), 'utf8');
}

/** Reads the examples of a page, in order, without other blocks of code. */
export function readExamples(name: string): readonly Example[] {
  const examples: Example[] = [];
  let section = '';
  let open: { readonly info: string; readonly line: number; readonly lines: string[] } | null = null;
  for (const [index, line] of readPage(name).split('\n').entries()) {
    if (open === null && line.startsWith('#')) section = line.replace(/^#+ /, '');
    if (!line.startsWith('```')) open?.lines.push(line);
    else if (open === null) open = { info: line.slice(3), line: index + 1, lines: [] };
    else {
      const text = open.lines.join('\n');
      const http = text.startsWith('HTTP/1.1 ') ? 'answer' : 'request';
      const kind = open.info === 'http' ? http : KINDS[open.info];
      if (kind !== undefined) examples.push({ kind, text, place: `${name}:${open.line}`, section });
      open = null;
    }
  }
  return examples;
}

/** Parses a request: the line of method and path, the headers, and after an empty line the body. */
export function readRequest(text: string): HttpRequest {
  const [head = '', ...body] = text.split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ')));
  return { method, path, headers, body: body.join('\n\n') };
}

/** Parses an answer: its status, and the JSON of its body if it has one. */
export function readAnswer(text: string): { readonly status: number; readonly json: unknown } {
  const [head = '', ...body] = text.split('\n\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  return { status, json: body.length === 0 ? undefined : JSON.parse(body.join('\n\n')) };
}
