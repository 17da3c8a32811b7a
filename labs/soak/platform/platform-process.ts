import { flushCompileCache } from 'node:module';
import { DEFAULT_MESSAGING_LIMITS } from '@natter/platform';
import { createAccessTokens } from '../../../server-platform/src/accounts/tokens/access-tokens.ts';
import { migrate, openDatabase } from '../../../server-platform/src/db/index.ts';
import { Scheduler } from '../../../server-platform/src/jobs/index.ts';
import { systemClock } from '../../../server-platform/src/kit/clock.ts';
import { openBus } from '../../../server-platform/src/realtime/bus/index.ts';
import {
  createActivityBuffer,
  createEventLog,
  type EventLog,
  type LogPage,
  type StoredEvent,
} from '../../../server-platform/src/realtime/event-log/index.ts';
import { SessionIds } from '../../../server-platform/src/realtime/gateway/session-ids.ts';
import type { MessagingContext } from '../../../server-platform/src/realtime/messaging-context.ts';
import { createMessagingMetrics } from '../../../server-platform/src/realtime/metrics.ts';
import { NodeLease } from '../../../server-platform/src/realtime/sessions/node-lease.ts';
import { SessionManager } from '../../../server-platform/src/realtime/sessions/session-manager.ts';
import { startMessaging } from '../../../server-platform/src/realtime/start-messaging.ts';
import { createChattyAgent } from '../chatty-agent.ts';
import type { CrashPoint } from '../schedule.ts';
import { CONNECTOR, insertConnector } from '../soak-connector.ts';
import type { PlatformReport, PlatformRequest, PlatformSettings } from './platform-messages.ts';
import { readSessionLog } from './read-session-log.ts';

// A platform in a separate process, so that it can crash at any point. Speaks over IPC with the process that
// started it; its one argument is the settings as JSON.

const tell = (report: PlatformReport): void => {
  process.send?.(report);
};

type LoggedDraft = Parameters<EventLog['append']>[0]['events'][number];

const isUnfinishedChunk = ({ type, payload }: LoggedDraft): boolean =>
  type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK' && 'is_complete' in payload && payload.is_complete === false;

/** A log that can kill the process at a chosen append. */
class FatalLog implements EventLog {
  readonly #log: EventLog;
  #crash: { readonly at: CrashPoint; skip: number } | null = null;

  constructor(log: EventLog) {
    this.#log = log;
  }

  arm(at: CrashPoint, skip: number): void {
    this.#crash = { at, skip };
  }

  async append(request: Parameters<EventLog['append']>[0]): ReturnType<EventLog['append']> {
    const types = request.events.map(({ type }) => type);
    const isMessage = types.includes('EVENT_TYPE_USER_MESSAGE');
    if (isMessage) this.#reach('before-commit');
    const result = await this.#log.append(request);
    if (isMessage) this.#reach('after-commit');
    // A death after the last chunk of an answer interrupts nothing.
    const last = request.events.at(-1);
    if (last && isUnfinishedChunk(last)) this.#reach('mid-stream');
    return result;
  }

  async readAfter(sessionId: string, cursor: number, limit: number): Promise<readonly StoredEvent[]> {
    return await this.#log.readAfter(sessionId, cursor, limit);
  }

  async readPage(sessionId: string, cursor: number, limit: number): Promise<LogPage> {
    const page = await this.#log.readPage(sessionId, cursor, limit);
    // A session that is taken up is read from its start.
    if (limit > 1 && cursor > 0) this.#reach('mid-replay');
    return page;
  }

  get queuedRows(): number {
    return this.#log.queuedRows;
  }

  drain(): Promise<void> {
    return this.#log.drain();
  }

  #reach(point: CrashPoint): void {
    if (this.#crash?.at !== point) return;
    if (this.#crash.skip > 0) this.#crash.skip -= 1;
    else process.kill(process.pid, 'SIGKILL');
  }
}

async function main(settings: PlatformSettings): Promise<void> {
  const database = await openDatabase(settings.database);
  await migrate(database, 'schema' in settings.database ? { schema: settings.database.schema } : undefined);
  await insertConnector(database);
  const report = (what: string, error: unknown): void =>
    tell({ kind: 'trouble', text: `${what}: ${String(error)}` });
  const log = new FatalLog(createEventLog(database));
  const tokens = await createAccessTokens({
    secrets: [Buffer.from(settings.tokenSecret, 'base64')],
    issuer: 'natter',
    now: () => Date.now(),
  });
  const agent = createChattyAgent(settings.wordPauseMs);
  // Among several, a node that starts again is another one.
  const node = settings.busUrl === undefined ? settings.node : `${settings.node}-${process.pid}`;
  const { bus, peers } = await openBus({
    url: settings.busUrl ?? null,
    // No two lanes have the same.
    space: settings.connectorToken.slice(-32),
    node,
    clock: systemClock,
    onFailure: report,
  });
  const context: MessagingContext = {
    database,
    log,
    activity: createActivityBuffer(database, { onError: (error) => report('store activity', error) }),
    bus,
    peers,
    clock: systemClock,
    scheduler: new Scheduler({ onFailure: report }),
    limits: { ...DEFAULT_MESSAGING_LIMITS, ...settings.limits },
    lease: new NodeLease({ database, node }),
    connectors: {
      findByToken: async (token) => (token === settings.connectorToken ? CONNECTOR : null),
      findById: async (id) => (id === CONNECTOR.id ? CONNECTOR : null),
    },
    sessionIds: new SessionIds(),
    agentFor: () => agent,
    handoffProviders: [],
    observer: {
      failed: report,
      warned: (what) => report('warned', what),
      happened() {},
      erased() {},
      frameReceived() {},
      handshakeRefused() {},
      slowReaderClosed: () => report('closed', 'a slow reader'),
    },
  };
  const messaging = await startMessaging({
    context,
    manager: new SessionManager(context),
    tokens,
    metrics: createMessagingMetrics(log),
    contextKeysOf: async () => null,
    hostname: '127.0.0.1',
    port: settings.port,
    trustedProxyHops: 0,
    renewalMs: 3_000,
    sweepMs: 1_000,
  });

  /** Resolves when everything that waited for an embedded database has had its turn. Another one may be out of reach. */
  const catchUp = async (): Promise<void> => {
    if ('dataDir' in settings.database) await database.query('SELECT 1', [], { prepare: true });
  };
  const stop = async (): Promise<void> => {
    await messaging.close();
    await bus.close();
    await database.close();
  };
  process.on('message', (request: PlatformRequest) => {
    const done = (): void => tell({ kind: 'done', id: request.id });
    switch (request.ask) {
      case 'logs':
        Promise.all(request.sessionIds.map((sessionId) => readSessionLog(database, log, sessionId))).then(
          (logs) => tell({ kind: 'logs', id: request.id, logs }),
          (error: unknown) => {
            report('read a log', error);
            // The caller retries.
            done();
          },
        );
        return;
      case 'crash':
        log.arm(request.at, request.skip);
        done();
        return;
      case 'usage': {
        const { user, system } = process.cpuUsage();
        tell({ kind: 'usage', id: request.id, cpuMs: (user + system) / 1_000 });
        return;
      }
      case 'ping':
        // A database that fails has answered too.
        catchUp().then(done, done);
        return;
      case 'stop':
        stop().then(
          () => process.exit(0),
          (error: unknown) => {
            report('stop', error);
            process.exit(1);
          },
        );
    }
  });
  // The parent process is gone: no one else would stop this one.
  process.on('disconnect', () => process.exit(1));
  tell({ kind: 'ready', port: messaging.port });
  // It is not likely to end in a way that would keep it.
  flushCompileCache();
}

// The parent wrote it with JSON.stringify from the same type.
await main(JSON.parse(process.argv[2] ?? '{}') as PlatformSettings);
