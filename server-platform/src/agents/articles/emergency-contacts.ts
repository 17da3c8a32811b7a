import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parse } from 'yaml';
import { lazy } from '../../kit/lazy.ts';
import { packageFile } from '../../kit/package-files.ts';
import type { KnowledgeAgentConfig } from './knowledge-agent-config.ts';

/** Contacts for a danger to life. */
export interface EmergencyContacts {
  readonly numbers: readonly string[];
  /** For visitors in despair; null: the emergency numbers. */
  readonly helpline: { readonly name: string; readonly number: string } | null;
}

const FALLBACK: EmergencyContacts = { numbers: ['112'], helpline: null };

const contactsSchema = v.record(
  v.string(),
  v.strictObject({
    numbers: v.array(v.string()),
    helpline: v.optional(v.nullable(v.strictObject({ name: v.string(), number: v.string() })), null),
  }),
);

const loadContacts: () => Readonly<Record<string, EmergencyContacts>> = lazy(() =>
  v.parse(contactsSchema, parse(readFileSync(packageFile('knowledge/emergency.yaml'), 'utf8'))),
);

/** The company's emergency contacts, or its country's if it has configured none. */
export function emergencyContactsOf({
  country,
  emergency,
}: Pick<KnowledgeAgentConfig, 'country' | 'emergency'>): EmergencyContacts {
  const ofCountry = (country === null ? undefined : loadContacts()[country]) ?? FALLBACK;
  return {
    numbers: emergency.numbers ?? ofCountry.numbers,
    helpline: emergency.helpline ?? ofCountry.helpline,
  };
}
