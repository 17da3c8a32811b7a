import { expect, it } from 'vitest';
import { DOCUMENTS, FILES, read } from './repository.ts';

/** Idioms that make a reader guess the subject or the actor, and the advice for each. Source: docs/words.md. */
const IDIOMS: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /\b(?:who|what|which)ever\b|\b(?:no|some|any)body\b/gi,
    'name the actor: the visitor, the caller, the owner node',
  ],
  [/\bwhat (?:is|was|it|they|has|had|we|there)\b/gi, 'name the thing with a noun'],
  [/\btold\b|\btells?\b|\bhears?\b|\bheard\b/gi, 'say notify, send, report or receive'],
  [/\b(?:goes|go|went|gone|going) on\b(?! to)/gi, 'say continue, resume or keep'],
  [
    /\b(?:that|which) (?:is|are|was) none\b|\bis none of\b/gi,
    'say what the thing is: invalid, unknown, another',
  ],
  [/\bof (?:its|their|his|her|our|one's) own\b/gi, 'say separate, or "its own"'],
  [/\bthose of\b/gi, 'repeat the noun, or use a genitive'],
  [/\ba word\b/gi, 'say a message, a text or a term'],
  [/\bby (?:itself|themselves)\b/gi, 'say automatically, alone or directly'],
  [/\bstands? in\b/gi, 'say is in, or replaces'],
];

/** The most idioms per 1,000 lines. The projects that we compare with have 0 to 6.3. */
const MOST_PER_THOUSAND = 3;

/** A block from `/*` to its end, or the rest of a line from `//` unless that belongs to an address. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/.*$/gm;
/** A paragraph of a document is one line of the file: counted as lines of this many characters. */
const LINE_LENGTH = 120;

interface Line {
  readonly place: string;
  readonly text: string;
}

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;

function readComments(path: string, code: string): readonly Line[] {
  return [...code.matchAll(COMMENT)].flatMap(({ 0: comment, index }) =>
    comment
      .split('\n')
      .map((text, offset) => ({ place: `${path}:${lineOf(code, index) + offset}`, text: text.trim() })),
  );
}

/** Reads the prose of a document, without code. */
function readProse(path: string, text: string): readonly Line[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:>\s*)?```/.test(line)) isCode = !isCode;
    const prose = isCode ? '' : line.replace(/`[^`]*`/g, '`code`');
    return prose.trim() === '' ? [] : [{ place: `${path}:${index + 1}`, text: prose }];
  });
}

/** Returns one text per idiom: its place, the match, and the advice. */
function findIdioms(lines: readonly Line[]): readonly string[] {
  return lines.flatMap(({ place, text }) =>
    IDIOMS.flatMap(([pattern, advice]) =>
      [...text.matchAll(pattern)].map(({ 0: words, index }) => {
        const around = text.slice(Math.max(0, index - 40), index + 60);
        return `${place} "${words}": ${advice}. … ${around} …`;
      }),
    ),
  );
}

/** Returns the idioms of these lines if they are more than the limit allows, else none. */
function findExcess(lines: readonly Line[], count: number): readonly string[] {
  const idioms = findIdioms(lines);
  return idioms.length > Math.ceil((count * MOST_PER_THOUSAND) / 1_000) ? idioms : [];
}

/** Source folders by package. */
const PACKAGES = [
  'src',
  'server-token-proxy',
  'server-sdk',
  'server-kit',
  'server-platform',
  'console',
  'demo',
  'labs',
  'e2e',
  'test',
  'scripts',
] as const;

/** The articles of the demo companies, and this file, which lists the idioms. */
const EXCEPTIONS = /^demo\/(?:kittiwake|dentist)\/|^test\/docs\/plain-words\.test\.ts$/;

it.each(PACKAGES)('the comments in %s have at most 3 idioms per 1,000 lines', (folder) => {
  const files = FILES.filter(
    (path) => path.startsWith(`${folder}/`) && /\.(?:ts|tsx|css)$/.test(path) && !EXCEPTIONS.test(path),
  );
  expect(files.length).toBeGreaterThan(5);
  const lines = files.flatMap((path) => readComments(path, read(path)));
  expect(findExcess(lines, lines.length)).toEqual([]);
});

// The protocol is excluded, because its text comes from the contract.
it('the documents have at most 3 idioms per 1,000 lines', () => {
  const documents = DOCUMENTS.filter((path) => !/^docs\/(?:protocol\/|words\.md)/.test(path));
  expect(documents.length).toBeGreaterThan(30);
  const lines = documents.flatMap((path) => readProse(path, read(path)));
  const count = lines.reduce((sum, { text }) => sum + Math.ceil(text.length / LINE_LENGTH), 0);
  expect(findExcess(lines, count)).toEqual([]);
});

it('finds an idiom with its place and an advice, in comments only', () => {
  const code = "const a = 'nobody'; // fine\n/**\n * Nobody waits.\n */\n";
  expect(findIdioms(readComments('a.ts', code))).toEqual([
    'a.ts:3 "Nobody": name the actor: the visitor, the caller, the owner node. … * Nobody waits. …',
  ]);
  expect(findIdioms(readProse('a.md', '`told`\n\n```\nhears\n```\n\nIt goes on to run.'))).toEqual([]);
});

it('allows 3 idioms in 1,000 lines and one in a short text', () => {
  const lines = ['a', 'b', 'c', 'd'].map((place) => ({ place, text: 'goes on' }));
  expect(findExcess(lines.slice(0, 1), 50)).toEqual([]);
  expect(findExcess(lines.slice(0, 3), 1_000)).toEqual([]);
  expect(findExcess(lines, 1_000)).toHaveLength(4);
});
