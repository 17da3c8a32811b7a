import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Secrets that a demo keeps between two starts. */
export interface DemoSecrets {
  readonly connectorToken: string;
  readonly ticketKey: string;
  /** API key for the chat in turns. */
  readonly chatKey: string;
  /** API key with which the company's pages report payments. */
  readonly eventsKey: string;
  /** API keys to try the REST families with, by the names of {@link REST_KEYS}. */
  readonly restKeys: Readonly<Record<string, string>>;
  /** Shared by all people at the demo's desk. */
  readonly deskPassword: string;
}

/** An API key that the demo's operator is shown. */
export interface DemoKey {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly key: string;
}

/** One key for each way a key can be bound, so that together they open every REST family. Source: rest.md 1.5. */
export const REST_KEYS = [
  { name: 'runtime', isOfProject: true, permissions: ['chat', 'conversations', 'analytics', 'handoff'] },
  { name: 'external-events', isOfProject: true, permissions: ['external_events'] },
  { name: 'dni', isOfProject: true, permissions: ['dni'] },
  { name: 'monitoring', isOfProject: false, permissions: ['monitoring', 'conversations'] },
  { name: 'legacy', isOfProject: false, permissions: ['conversations'], legacy: true },
] as const;

/** Person who signs in at the demo's console. */
export const PEOPLE = [
  { email: 'grace@example.com', name: 'Grace', role: 'agent' },
  { email: 'sue@example.com', name: 'Sue', role: 'supervisor' },
  { email: 'rita@example.com', name: 'Rita', role: 'admin' },
] as const;

function isSecrets(value: unknown): value is DemoSecrets {
  const names = ['connectorToken', 'ticketKey', 'chatKey', 'eventsKey', 'deskPassword', 'restKeys'];
  return typeof value === 'object' && value !== null && names.every((name) => name in value);
}

/** Where a demo keeps its secrets. */
export const secretsFile = (dataDir: string): string => join(dataDir, 'demo-secrets.json');

/** The demo's secrets in `dataDir`; null before the first start. Throws when the file holds something else. */
export function readSecrets(dataDir: string): DemoSecrets | null {
  const file = secretsFile(dataDir);
  if (!existsSync(file)) return null;
  const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isSecrets(kept))
    throw new Error(
      `${file} does not contain the demo's secrets. Delete it; the next start creates new ones.`,
    );
  return kept;
}

/** The keys of the demo company for the REST families. */
export function listRestKeys({ restKeys }: DemoSecrets): readonly DemoKey[] {
  return REST_KEYS.map(({ name, permissions }) => ({ name, permissions, key: restKeys[name] ?? '' }));
}
