import { join } from 'node:path';
import { type StartOptions, startTokenProxy } from '@natter/token-proxy/node';
import { buildConsole } from './build-console.ts';
import { buildEmbed } from './build-embed.ts';
import {
  type DemoKey,
  type DemoSecrets,
  keepSecrets,
  listRestKeys,
  readChatKey,
  readConnector,
  writeDemoConfig,
} from './demo-config.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';
import { createFileStore, type FileStore } from './file-store.ts';
import { startFlakyLink } from './link/flaky-link.ts';
import { reportPayment } from './payments.ts';
import { PlatformNode } from './platform-node.ts';

/** How the demo is brought up. */
export interface DemoOptions {
  /** First of four ports in a row; null picks free ones. */
  readonly portBase: number | null;
  /** Where the embedded database and the demo's secrets are kept. */
  readonly dataDir: string;
  /** A platform configuration of your own; null uses the demo company. */
  readonly configFile: string | null;
  /** A platform that runs already; null starts one here. */
  readonly platformUrl: string | null;
  /** Whether people answer at the desk, in place of the script. */
  readonly hasDesk: boolean;
  /** One line per step of a slow start. */
  readonly onProgress: (line: string) => void;
  /** Called when the platform that was started here has ended without being asked to. */
  readonly onCrash: (message: string) => void;
}

/** A running demo: where everything is, and how to end it. */
export interface Demo {
  /** Addresses by name, in the order in which to tell them. */
  readonly urls: Readonly<Record<'demo' | 'bench' | 'proxy' | 'platform', string>>;
  /** Keys for the REST families of the demo company; empty with a configuration of your own. */
  readonly keys: readonly DemoKey[];
  /** Where people of the demo company sign in, and their password; null with a platform or a configuration of your own. */
  readonly console: { readonly url: string; readonly password: string } | null;
  close(): Promise<void>;
}

/** Where the link leads until the platform runs: nothing listens there. */
const NOWHERE = { host: '127.0.0.1', port: 9 };

/** Starts whatever ends first to be closed last, and closes all of it when a later start fails. */
class Closers {
  readonly #closers: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.#closers.unshift(close);
  }

  async closeAll(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close();
  }
}

/** The environment without a PostgreSQL server: the demo company's account and keys do not belong into it. */
function withoutDatabase(
  { DATABASE_URL: url, NATTER_BUS_URL: _bus, ...others }: NodeJS.ProcessEnv,
  tell: (line: string) => void,
): NodeJS.ProcessEnv {
  if (url)
    tell(
      'DATABASE_URL is not used: the demo keeps its data in a folder. Name a --config of your own to use it.',
    );
  return others;
}

/** Starts the platform's process, which loads its code while the rest is built. */
function forkPlatform({ configFile, onProgress, onCrash }: DemoOptions): PlatformNode {
  const environment = configFile === null ? withoutDatabase(process.env, onProgress) : process.env;
  return new PlatformNode({ environment, onProgress, onCrash });
}

/** Brings up site, link, token proxy and platform, each on a port of 127.0.0.1. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { portBase, dataDir, hasDesk } = options;
  const portAt = (offset: number): number => (portBase === null ? 0 : portBase + offset);
  const closers = new Closers();
  const platform = options.platformUrl === null ? forkPlatform(options) : null;
  try {
    const embedDir = buildEmbed();
    buildConsole();
    const secrets = keepSecrets(dataDir);
    const origins = { proxy: '', socket: '' };
    const link = await startFlakyLink(NOWHERE, { port: portAt(3) });
    closers.add(() => link.close());
    const files = createFileStore(join(dataDir, 'files'), () => `${site.url}/files`);
    const site: DemoServer = await startDemoServer({
      port: portAt(0),
      getOrigins: () => origins,
      link,
      files,
      platform,
      getConsoleOrigin: () => (options.platformUrl === null ? new URL(platformUrl).origin : null),
      pay: (reference) => reportPayment({ platformUrl, key: secrets.eventsKey }, reference),
    });
    closers.add(() => site.close());
    if (platform !== null) closers.add(() => platform.close());

    const configFile = options.configFile ?? writeDemoConfig(dataDir, secrets, site.url, hasDesk);
    const platformUrl =
      options.platformUrl ??
      (await platform?.start({
        configFile,
        dataDir: join(dataDir, 'platform'),
        port: portAt(2),
        testBenchUrl: site.url,
      })) ??
      '';
    const { hostname, port } = new URL(platformUrl);
    link.retarget({ host: hostname, port: Number(port) });
    origins.socket = `ws://127.0.0.1:${link.port}`;
    const proxy = await startTokenProxy({
      ...createProxyOptions({ configFile, platformUrl, socketUrl: origins.socket, secrets, site, files }),
      port: portAt(1),
      embedDir,
      logLevel: 'warn',
    });
    closers.add(() => proxy.close());
    origins.proxy = proxy.url;

    return {
      urls: {
        demo: `${site.url}/`,
        bench: `${site.url}/bench`,
        proxy: `${proxy.url}/`,
        platform: `${platformUrl}/`,
      },
      console:
        options.platformUrl === null && options.configFile === null
          ? { url: `${platformUrl}/console/`, password: secrets.deskPassword }
          : null,
      keys: options.configFile === null ? listRestKeys(secrets) : [],
      close: () => closers.closeAll(),
    };
  } catch (error) {
    await closers.closeAll();
    await platform?.close();
    throw error;
  }
}

/** Where the parts of the demo are that its token proxy works with. */
interface ProxyParts {
  readonly configFile: string;
  readonly platformUrl: string;
  readonly socketUrl: string;
  readonly secrets: DemoSecrets;
  readonly site: DemoServer;
  readonly files: FileStore;
}

function createProxyOptions(parts: ProxyParts): StartOptions {
  const { configFile, platformUrl, socketUrl, secrets, site, files } = parts;
  const chatKey = readChatKey(configFile);
  const chat = chatKey && { baseUrl: platformUrl, ...chatKey };
  return {
    upstreamUrl: platformUrl,
    websocketUrl: `${socketUrl}/ws`,
    connectors: { default: { ...readConnector(configFile), ...(chat && { chat }) } },
    ticketKeys: [secrets.ticketKey],
    // The console's preview of the widget talks to it too.
    allowedOrigins: [site.url, new URL(platformUrl).origin],
    // Everybody who tries the demo sits at one machine.
    limits: {
      sessionsPerClient: 0,
      resumesPerClient: 0,
      turnsPerClient: 0,
      uploadsPerClient: 0,
      searchesPerClient: 0,
    },
    onSearch: ({ query }) => site.searchHelp(query),
    uploads: { onUpload: files.onUpload },
    // A demo has no mail server: the terminal shows what a site's own code would send on.
    onContactRequest: ({ email, text }) => console.log(`Contact request from ${email}: ${text}`),
  };
}
