import type { VendorNames, WebhookHeaderStyle } from '@natter/sdk';
import type { Hono } from 'hono';
import type { SecretPurpose, SecretVault } from '../../accounts/tokens/index.ts';
import type { Agent, AgentTimeouts } from '../../agents/index.ts';
import type { Database } from '../../db/index.ts';
import type { Scheduler } from '../../jobs/index.ts';
import type { Clock } from '../../kit/clock.ts';
import type { PlatformEnv, RunInShare } from '../../kit/http/index.ts';
import type { Peers } from '../../realtime/bus/index.ts';
import type { SessionLocation } from '../../realtime/index.ts';
import type { ServiceHosts } from './host-regions.ts';
import type { RestRoute } from './rest-route.ts';

/** Settings of a deployment that the REST families share. */
export interface RestSettings {
  /** Which families write the vendor's names. Source: section 2. */
  readonly vendorNames: VendorNames;
  /** Names of the delivery headers of webhooks. Source: section 2. */
  readonly webhookHeaderStyle: WebhookHeaderStyle;
  /** Source: C-1, C-2. */
  readonly hosts: ServiceHosts;
  /** Requests of one key in a minute; null: no limit. Source: C-14. */
  readonly requestsPerMinute: number | null;
  /** A chat without a respond for longer is over. Source: 3.4. */
  readonly chatIdleTimeoutSeconds: number;
  /** How long a number stays reserved without a call. Source: DN-2. */
  readonly dniReservationSeconds: number;
  /** Whether `POST /internal/v1/simulated-calls` is there; for development. */
  readonly hasSimulatedCalls: boolean;
  /** How often alert rules are evaluated. Source: AL-5. */
  readonly alertEvaluationSeconds: number;
  /** Whether webhooks may go to addresses that are not of the public internet. Source: section 11. */
  readonly webhookPrivateAddresses: boolean;
}

/** What the families are built from. */
export interface RestServices {
  readonly database: Database;
  readonly clock: Clock;
  /** Repeats the work of the background. */
  readonly scheduler: Scheduler;
  readonly settings: RestSettings;
  /** Name of this node as owner of its work. Constant where only one process at a time can run. */
  readonly node: string;
  /** How long an agent may take. */
  readonly timeouts: AgentTimeouts;
  /** What an agent is given of a conversation: the last entries. */
  readonly historyBytes: number;
  /** What the log of a session, or the record of a chat, may hold. */
  readonly sessionBytes: number;
  /** Seals secrets that are stored. */
  readonly vault: SecretVault;
  /** The agent of this name as a project has it; null when there is none. */
  readonly findAgent: (name: string, projectId: string) => Agent | null;
  /** An external event was stored for a session: notifies its agent. Never fails, never waits. */
  readonly tellAgent: (sessionId: string) => void;
  /** Takes an open session up on this node, unless another one has it. */
  readonly wakeSession: (sessionId: string) => Promise<SessionLocation>;
  /** The other nodes. */
  readonly peers: Peers;
  /** Folder for what a family keeps beside the database; `'memory'` when nothing is to stay. */
  readonly dataDir: string;
  /** 32 bytes that only this deployment knows; the same on every node, another for every purpose. */
  readonly deriveKey: (purpose: SecretPurpose) => Uint8Array;
  /** Looks at much that is stored for an account, which has so many of these at a time. */
  readonly searchInShare: RunInShare;
  /** Logs an action for the operator, without any text of a user. */
  readonly note: (what: string, facts: Readonly<Record<string, string | number>>) => void;
  /** Counts an attempt to deliver a webhook. */
  readonly countWebhook: (outcome: 'delivered' | 'retried' | 'given_up', durationMs: number) => void;
  /** Counts a page's stream that was cut off because its reader was too slow. */
  readonly countSlowReader: () => void;
  /** Counts rows that were removed, by table. */
  readonly countRemoved: (why: 'retention' | 'erasure', counts: Readonly<Record<string, number>>) => void;
  /** Reports a failure that no caller sees to the operator. */
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
}

/** A family: its routes and its background work. */
export interface RestFamily {
  readonly routes: readonly RestRoute[];
  /** Pages that need no key, by path. */
  readonly pages?: Readonly<Record<string, Hono<PlatformEnv>>>;
  /** Ends what runs in the background. Nothing may be lost by not calling it. */
  readonly close?: () => Promise<void>;
}
