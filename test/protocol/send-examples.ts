import { CREDENTIALS } from './example-platform.ts';
import { findDifferences } from './find-differences.ts';
import { readAnswer, readExamples, readRequest } from './read-examples.ts';
import { type HttpAnswer, sendRequest } from './send-request.ts';
import { signContext } from './sign-context.ts';

/** A request of a page, the printed answer, and the actual answer. */
export interface SentExample {
  readonly place: string;
  readonly expected: HttpAnswer;
  readonly actual: HttpAnswer;
  readonly differences: readonly string[];
}

/**
 * Sends the requests of a page in order. Names in braces are credentials, or top-level texts of earlier answers:
 * `{session_id}` is the last `session_id` received.
 */
export async function sendExamples(url: string, page: string): Promise<readonly SentExample[]> {
  const values: Record<string, string> = { ...CREDENTIALS };
  const sent: SentExample[] = [];
  const examples = readExamples(page).filter(({ kind }) => kind === 'request' || kind === 'answer');
  for (const [index, example] of examples.entries()) {
    if (example.kind !== 'request') continue;
    const answer = examples[index + 1];
    if (answer?.kind !== 'answer') throw new Error(`${example.place}: no answer follows`);
    if (example.text.includes('{context_token}')) values['context_token'] = await signContext(url, values);
    const actual = await sendRequest(url, readRequest(fill(example.text, values, example.place)));
    remember(actual.json, values);
    const expected = readAnswer(answer.text);
    const differences = findDifferences(expected, actual);
    sent.push({ place: example.place, expected, actual, differences });
  }
  return sent;
}

function fill(text: string, values: Readonly<Record<string, string>>, place: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${place}: {${name}} stands for nothing`);
    return value;
  });
}

function remember(json: unknown, values: Record<string, string>): void {
  if (typeof json !== 'object' || json === null) return;
  for (const [key, value] of Object.entries(json)) if (typeof value === 'string') values[key] = value;
}
