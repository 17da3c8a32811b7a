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

/** Deployment settings shared by the REST route groups. */
export interface RestSettings {
  /** Which route groups use the vendor's names. Source: section 2. */
  readonly vendorNames: VendorNames;
  /** Names of the delivery headers of webhooks. Source: section 2. */
  readonly webhookHeaderStyle: WebhookHeaderStyle;
  /** Source: C-1, C-2. */
  readonly hosts: ServiceHosts;
  /** Requests per key and minute; null: unlimited. Source: C-14. */
  readonly requestsPerMinute: number | null;
  /** A chat without a respond call for longer than this ends. Source: 3.4. */
  readonly chatIdleTimeoutSeconds: number;
  /** How long a number stays reserved without a call. Source: DN-2. */
  readonly dniReservationSeconds: number;
  /** Whether `POST /internal/v1/simulated-calls` exists; for development. */
  readonly hasSimulatedCalls: boolean;
  /** How often alert rules are evaluated. Source: AL-5. */
  readonly alertEvaluationSeconds: number;
  /** Address of the platform in links that it makes; null: as the request named it. */
  readonly publicUrl: string | null;
  /** Whether webhooks may be sent to private addresses. Source: section 11. */
  readonly webhookPrivateAddresses: boolean;
}

/** Dependencies of the route groups. */
export interface RestServices {
  readonly database: Database;
  readonly clock: Clock;
  /** Runs periodic background tasks. */
  readonly scheduler: Scheduler;
  readonly settings: RestSettings;
  /** Name of this node as the owner of its work. Constant if only one process can run at a time. */
  readonly node: string;
  /** Time limits of agents. */
  readonly timeouts: AgentTimeouts;
  /** Size of the history passed to an agent: the most recent entries. */
  readonly historyBytes: number;
  /** Maximum size of a session's log or a chat's record. */
  readonly sessionBytes: number;
  /** Encrypts stored secrets. */
  readonly vault: SecretVault;
  /** Finds a project's agent by name; null when there is none. */
  readonly findAgent: (name: string, projectId: string) => Agent | null;
  /** Notifies the agent of a session's stored external event. Never fails, never waits. */
  readonly notifyAgent: (sessionId: string) => void;
  /** Loads an open session on this node, unless another one owns it. */
  readonly ensureSessionLoaded: (sessionId: string) => Promise<SessionLocation>;
  /** The other nodes. */
  readonly peers: Peers;
  /** Folder for files besides the database; `'memory'` when nothing should be kept. */
  readonly dataDir: string;
  /** Derives 32 secret bytes of this deployment: the same on every node, different for every purpose. */
  readonly deriveKey: (purpose: SecretPurpose) => Uint8Array;
  /** Runs an expensive search; each account may run a limited number at a time. */
  readonly searchInShare: RunInShare;
  /** Logs an action for the operator, without user text. */
  readonly note: (what: string, fields: Readonly<Record<string, string | number>>) => void;
  /** Counts an attempt to deliver a webhook. */
  readonly countWebhook: (outcome: 'delivered' | 'retried' | 'given_up', durationMs: number) => void;
  /** Counts a page's stream that was cut off for a slow reader. */
  readonly countSlowReader: () => void;
  /** Counts rows that were removed, by table. */
  readonly countRemoved: (why: 'retention' | 'erasure', counts: Readonly<Record<string, number>>) => void;
  /** Reports a failure that no caller notices to the operator. */
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
}

/** A route group: its routes and its background work. */
export interface RestFamily {
  readonly routes: readonly RestRoute[];
  /** Pages without authentication, by path. */
  readonly pages?: Readonly<Record<string, Hono<PlatformEnv>>>;
  /** Stops background work. Skipping it must not lose data. */
  readonly close?: () => Promise<void>;
}
