import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { parse } from 'yaml';

/** Sentences of the agent in one language, by name; several wordings alternate. */
export type ReplyTexts = Readonly<Record<string, string | readonly string[]>>;

const FOLDER = fileURLToPath(new URL('../../../../knowledge/replies/', import.meta.url));

const textsSchema = v.record(v.string(), v.union([v.string(), v.array(v.string())]));

/** The sentences that come with the platform, by language. */
export const REPLIES: ReadonlyMap<string, ReplyTexts> = new Map(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [
      name.slice(0, -'.yaml'.length),
      v.parse(textsSchema, parse(readFileSync(`${FOLDER}${name}`, 'utf8'))),
    ]),
);

/** The language of a tag such as `de-AT` where the platform has sentences in it, else English. */
export function languageOfReplies(tag: string | null): string {
  const [language = ''] = (tag ?? '').toLowerCase().split('-');
  return REPLIES.has(language) ? language : 'en';
}

/** Says a sentence by its name, with the values of its placeholders. */
export type Say = (name: string, values?: Readonly<Record<string, string>>) => string;

/**
 * The sentences of one language, the company's own before those of the platform. `turnNumber` chooses between several
 * wordings, so that the same conversation always reads the same.
 */
export function sayIn(language: string, own: Readonly<Record<string, ReplyTexts>>, turnNumber: number): Say {
  const tables = [own[language], REPLIES.get(language), own['en'], REPLIES.get('en')];
  return (name, values = {}) => {
    const found = tables.find((table) => table?.[name] !== undefined)?.[name] ?? '';
    const text = typeof found === 'string' ? found : (found[turnNumber % found.length] ?? '');
    return text.replace(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);
  };
}
