import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const FOLDER = new URL('../../../../knowledge/glossary/', import.meta.url);

const glossaries = readdirSync(FOLDER).map((name) => {
  const lists: Readonly<Record<string, string>> = parse(readFileSync(new URL(name, FOLDER), 'utf8'));
  return [name, new Set(Object.keys(lists))] as const;
});

const everything = new Set(glossaries.flatMap(([, words]) => [...words]));

// Entries that share a word in some languages: "book" and "booking", "night" and "overnight".
const SAID_OTHERWISE: ReadonlySet<string> = new Set(['booking', 'overnight', 'timetable winter']);

it.each(glossaries)('%s has a word for all that one of the others has a word for', (_name, words) => {
  expect([...everything].filter((each) => !words.has(each) && !SAID_OTHERWISE.has(each))).toEqual([]);
});
