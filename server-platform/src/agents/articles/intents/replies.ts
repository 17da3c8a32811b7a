import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { lazy } from '../../../kit/lazy.ts';
import { packageFile } from '../../../kit/package-files.ts';

/** Sentences of the agent in one language, by name; several wordings alternate. */
export type ReplyTexts = Readonly<Record<string, string | readonly string[]>>;

const FOLDER = packageFile('knowledge/replies');

const textsSchema = v.record(v.string(), v.union([v.string(), v.array(v.string())]));

/** The sentences that come with the platform, by language. They are read at the first call. */
export const loadReplies: () => ReadonlyMap<string, ReplyTexts> = lazy(
  () =>
    new Map(
      readdirSync(FOLDER)
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => [
          name.slice(0, -'.yaml'.length),
          v.parse(textsSchema, parse(readFileSync(join(FOLDER, name), 'utf8'))),
        ]),
    ),
);

/** The language of a tag such as `de-AT` where the platform has sentences in it, else English. */
export function languageOfReplies(tag: string | null): string {
  const [language = ''] = (tag ?? '').toLowerCase().split('-');
  return loadReplies().has(language) ? language : 'en';
}

/** Says a sentence by its name, with the values of its placeholders. */
export interface Say {
  (name: string, values?: Readonly<Record<string, string>>): string;
  /** The language that the sentences are in. */
  readonly language: string;
}

/**
 * The sentences of one language, the company's own before the platform's. `turnNumber` chooses between several
 * wordings, so that the same conversation always reads the same.
 */
export function sayIn(language: string, own: Readonly<Record<string, ReplyTexts>>, turnNumber: number): Say {
  const tables = [own[language], loadReplies().get(language), own['en'], loadReplies().get('en')];
  const say = (name: string, values: Readonly<Record<string, string>> = {}): string => {
    const found = tables.find((table) => table?.[name] !== undefined)?.[name] ?? '';
    const text = typeof found === 'string' ? found : (found[turnNumber % found.length] ?? '');
    return text.replace(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);
  };
  return Object.assign(say, {
    language: own[language] === undefined ? languageOfReplies(language) : language,
  });
}
