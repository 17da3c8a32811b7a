import type { Hono } from 'hono';
import type { Agent, AgentPatience } from '../agents/index.ts';
import type { SecretPurpose } from '../auth/derive-secret.ts';
import type { SecretVault } from '../auth/secret-vault.ts';
import type { Peers } from '../bus/index.ts';
import type { TranslationEndpoint } from '../conversations/translation/translation-endpoint.ts';
import type { Database } from '../db/index.ts';
import type { OpenHandoffs } from '../handoff/open-handoffs.ts';
import type { PlatformEnv } from '../http/platform-app.ts';
import type { Clock } from '../messaging/clock.ts';
import type { SessionPlace } from '../messaging/session-registry.ts';
import type { RestRoute } from './rest-route.ts';
import type { RestSettings } from './rest-settings.ts';

/** What the families are built from. */
export interface RestServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: RestSettings;
  /** Name of this node, as the owner of what it works on. One that only one process at a time can have never changes. */
  readonly node: string;
  /** How long an agent may take. */
  readonly patience: AgentPatience;
  /** Seals secrets that are stored. */
  readonly vault: SecretVault;
  /** Who translates the turns of a project, by its id. */
  readonly translations: ReadonlyMap<string, TranslationEndpoint>;
  /** The agent configuration of this name; null when there is none. */
  readonly findAgent: (name: string) => Agent | null;
  /** Something from outside is on record for a session: its agent is to be told. Never fails, never waits. */
  readonly tellAgent: (sessionId: string) => void;
  /** The hand-offs that other systems may talk to. */
  readonly openHandoffs: OpenHandoffs;
  /** Takes an open session up on this node, unless another one has it. */
  readonly wakeSession: (sessionId: string) => Promise<SessionPlace>;
  /** The other nodes. */
  readonly peers: Peers;
  /** Folder for what a family keeps beside the database; `'memory'` when nothing is to stay. */
  readonly dataDir: string;
  /** 32 bytes that only this deployment knows; the same on every node, another for every purpose. */
  readonly deriveKey: (purpose: SecretPurpose) => Uint8Array;
  /** Tells the operator what was done, without anything that somebody wrote. */
  readonly note: (what: string, facts: Readonly<Record<string, string | number>>) => void;
  /** Counts rows that were removed, by table. */
  readonly countRemoved: (why: 'retention' | 'erasure', counts: Readonly<Record<string, number>>) => void;
  /** Tells the operator about a failure that no caller sees. */
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
}

/** A family: its routes, and what it runs beside them. */
export interface RestFamily {
  readonly routes: readonly RestRoute[];
  /** Pages that need no key, by path. */
  readonly pages?: Readonly<Record<string, Hono<PlatformEnv>>>;
  /** Ends what runs in the background. Nothing may be lost by not calling it. */
  readonly close?: () => Promise<void>;
}
