import { clientEnvironmentSchema, parseTime } from '@natter/sdk';
import * as v from 'valibot';
import { nodeFiguresSchema } from '../../realtime/index.ts';

/** A node of the platform. */
const nodeFiguresView = v.pipe(
  v.object({
    node: v.string(),
    /** Whether it has answered this call. */
    is_self: v.boolean(),
    /** 0 or less: its lease ran out. Null: it has none yet. */
    lease_left_ms: v.nullable(v.number()),
    /** Null: it did not answer in time. */
    figures: v.nullable(nodeFiguresSchema),
  }),
  v.metadata({ name: 'ConsoleNode' }),
);

/** State of the platform. */
export const operationsView = v.object({
  at: v.string(),
  nodes: v.array(nodeFiguresView),
  database: v.object({
    engine: v.picklist(['pglite', 'postgres']),
    version: v.string(),
    is_durable: v.boolean(),
    size_bytes: v.number(),
    /** Duration of a trivial statement, in milliseconds. */
    ping_ms: v.number(),
    /** Of this node; null: the embedded database has one. */
    connections: v.nullable(v.object({ busy: v.number(), idle: v.number(), waiting: v.number() })),
  }),
  bus: v.object({
    /** False: this node has the database to itself, and needs no bus. */
    is_shared: v.boolean(),
    is_up: v.boolean(),
    /** Other nodes that sent a message recently. */
    nodes: v.array(v.string()),
  }),
  queues: v.array(v.object({ name: v.string(), count: v.number(), oldest_at: v.nullable(v.string()) })),
});

const time = v.nullable(v.string());
const text = (most: number) =>
  v.pipe(
    v.string('must be a text'),
    v.check((value) => value.trim() !== '', 'must not be empty'),
    v.maxLength(most, `must have at most ${most} characters`),
    // PostgreSQL keeps no text with it.
    v.check((value) => !value.includes('\0'), 'must not contain the character U+0000'),
  );
const texts = v.pipe(
  v.array(text(300), 'must be a list of texts'),
  v.maxLength(50, 'must have at most 50 entries'),
);

/** A key without its text. */
export const keyView = v.pipe(
  v.object({
    id: v.string(),
    name: v.string(),
    service: v.picklist(['runtime', 'monitoring']),
    permissions: v.array(v.string()),
    /** Slug; null: every project of the account. */
    project: v.nullable(v.string()),
    is_legacy: v.boolean(),
    region: v.nullable(v.string()),
    /** Its last four characters. */
    hint: v.string(),
    /** `replaced`: another key has its name and place, and it works until it expires. */
    state: v.picklist(['active', 'replaced', 'expired', 'revoked']),
    created_at: v.string(),
    last_used_at: time,
    expires_at: time,
    revoked_at: time,
  }),
  v.metadata({ name: 'ConsoleKey' }),
);

/** A key or token that was made now. */
export const newSecretView = v.object({
  id: v.string(),
  name: v.string(),
  /** Its text, which no other call gives. */
  secret: v.string(),
});

export const newKeySchema = v.object({
  name: text(100),
  project: v.optional(v.nullable(text(100)), null),
  permissions: texts,
  is_legacy: v.optional(v.boolean('must be true or false'), false),
  expires_at: v.optional(
    v.nullable(
      v.pipe(
        v.string('must be a text'),
        v.check((value) => parseTime(value) !== null, 'must be a time such as 2027-01-31T00:00:00Z'),
      ),
    ),
    null,
  ),
});

const MOST_OVERLAP_HOURS = 8_760;

export const rotateKeySchema = v.object({
  overlap_hours: v.pipe(
    v.number('must be a number'),
    v.minValue(0, 'must be 0 or more'),
    v.maxValue(MOST_OVERLAP_HOURS, `must be at most ${MOST_OVERLAP_HOURS}`),
  ),
});

/** A connector without its token. */
export const connectorView = v.pipe(
  v.object({
    id: v.string(),
    name: v.string(),
    environment: v.string(),
    hosts: v.array(v.object({ kind: v.picklist(['domain', 'app']), value: v.string() })),
    agent: v.nullable(v.string()),
    handoff: v.nullable(v.string()),
    hint: v.string(),
    created_at: v.string(),
    last_used_at: time,
    revoked_at: time,
  }),
  v.metadata({ name: 'ConsoleConnector' }),
);

export const newConnectorSchema = v.object({
  name: text(100),
  domains: v.optional(texts, []),
  apps: v.optional(texts, []),
  environment: v.optional(clientEnvironmentSchema, 'live'),
});

/** Effects of revoking a connector. */
export const connectorImpactView = v.object({
  /** Conversations that are open through it. */
  open_sessions: v.number(),
  /** Rows that removing it would erase, by name. */
  removal: v.record(v.string(), v.number()),
});

/** How long projects keep their data. */
export const retentionView = v.object({
  projects: v.array(
    v.object({
      slug: v.string(),
      name: v.string(),
      kinds: v.array(
        v.object({
          kind: v.picklist(['conversations', 'turns', 'events', 'audio']),
          /** Null: indefinitely. */
          days: v.nullable(v.number()),
          /** Too old, so the next sweep removes it. */
          due: v.number(),
        }),
      ),
    }),
  ),
  /** Where counting ends. */
  most_due: v.number(),
});
