import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parse } from 'yaml';

/** Says a sentence by its name, with the values of its placeholders. */
export type Say = (name: string, values: Readonly<Record<string, string>>) => string;

const sentences = v.parse(
  v.record(v.string(), v.record(v.string(), v.string())),
  parse(readFileSync(new URL('./sentences.yaml', import.meta.url), 'utf8')),
);

/** The sentences of the timetable in a language, else in English. */
export function sayIn(language: string): Say {
  const own = sentences[language.slice(0, 2)] ?? sentences['en'] ?? {};
  return (name, values) =>
    (own[name] ?? '').replace(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}
