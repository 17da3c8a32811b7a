import type { AgentCallAction } from '../agent.ts';
import type { Say } from './intents/replies.ts';
import { tokenize } from './text/tokenize.ts';
import { describeHours } from './time/describe-hours.ts';

/** A desk of the company, and how it is reached. */
export interface Contact {
  readonly title: string;
  readonly phone: string | null;
  readonly email: string | null;
  /** Address of a page. */
  readonly url: string | null;
  /** When it is staffed, such as `Mo-Fr 09:00-17:00`. */
  readonly hours: string | null;
  /** Phrases of visitors who mean this desk. The first contact is for everything else. */
  readonly words: readonly string[];
}

const stemsOf = (text: string): readonly string[] => tokenize(text).map(({ stem }) => stem);

/** The desk that a message means: the one with most of its words in it, else the first. */
export const findContact = (text: string, contacts: readonly Contact[]): Contact | null =>
  findNamedContact(text, contacts) ?? contacts[0] ?? null;

/** The desk with most of its words in a message; null when the message names none. */
export function findNamedContact(text: string, contacts: readonly Contact[]): Contact | null {
  const said = new Set(stemsOf(text.slice(0, 500)));
  const counts = contacts.map(
    ({ words }) => words.filter((word) => stemsOf(word).every((stem) => said.has(stem))).length,
  );
  const most = Math.max(0, ...counts);
  return most === 0 ? null : (contacts[counts.indexOf(most)] ?? null);
}

/** A desk as one line of Markdown. */
export function describeContact({ title, phone, email, url, hours }: Contact, say: Say): string {
  const ways = [phone, email === null ? null : `[${email}](mailto:${email})`, url];
  return `**${title}:** ${[...ways, hours === null ? null : describeHours(hours, say)].filter((part) => part !== null).join(' · ')}`;
}

/** The number of a desk as a call action, if it has one. */
export const callContact = ({ title, phone }: Contact): readonly AgentCallAction[] =>
  phone === null ? [] : [{ title, contact_number: phone }];
