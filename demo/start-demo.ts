import { join } from 'node:path';
import { type RunningTokenProxy, startTokenProxy } from '@natter/token-proxy/node';
import { buildBench } from './build/build-bench.ts';
import { buildConsole } from './build/build-console.ts';
import { buildEmbed } from './build/build-embed.ts';
import { choosePorts, findFreePort } from './choose-ports.ts';
import { keepSecrets, writeDemoConfig } from './demo-config.ts';
import { type DemoUrls, writeRun } from './demo-run.ts';
import type { RunningPages } from './dev/development-pages.ts';
import type { ProxyStart } from './dev/proxy-process.ts';
import type { Development, ProxyNode } from './dev/start-development.ts';
import { startFlakyLink } from './link/flaky-link.ts';
import { reportPayment } from './payments.ts';
import { createPlatformFaults, PLATFORM_PROGRAM, type PlatformNode } from './processes/platform-node.ts';
import { ServerNode } from './processes/server-node.ts';
import { createProxyOptions, filesDir, type ProxyParts } from './proxy-options.ts';
import { type DemoServer, startDemoServer } from './site-server/demo-server.ts';
import { createFileStore } from './site-server/file-store.ts';

/** Options of a demo's start. */
export interface DemoOptions {
  /** First of four ports in a row; null picks free ones, also in the place of each that is taken. */
  readonly portBase: number | null;
  /** Where the embedded database and the demo's secrets are kept. */
  readonly dataDir: string;
  /** A platform configuration of your own; null uses the demo company. */
  readonly configFile: string | null;
  /** A platform that runs already; null starts one here. */
  readonly platformUrl: string | null;
  /** Whether people answer at the desk, in place of the script. */
  readonly hasDesk: boolean;
  /** Edits of the sources are shown as they are made. Default: false. */
  readonly isDevelopment?: boolean;
  /** Debuggers can attach to the servers that follow edits. Default: false. */
  readonly isInspected?: boolean;
  /** One line per step of a slow start, and for what becomes of an edit. */
  readonly onProgress: (line: string) => void;
  /** Called when a server that was started here has ended without being asked to. */
  readonly onCrash: (message: string) => void;
}

/** A running demo: where everything is, and how to end it. */
export interface Demo {
  readonly urls: DemoUrls;
  /** Ports that were asked for and that other programs listen on. */
  readonly taken: readonly number[];
  close(): Promise<void>;
}

/** Site, token proxy, platform and link. */
export const PORT_COUNT = 4;

/** Where the link leads until the platform runs: nothing listens there. */
const NOWHERE = { host: '127.0.0.1', port: 9 };

/**
 * An address of this machine by the name that people type. All parts have one name, because a cookie of the token proxy is for
 * one site, and `localhost` and 127.0.0.1 are two.
 */
const toLocalhost = (url: string): string => new URL(url).origin.replace('127.0.0.1', 'localhost');

/** Starts everything; closes in reverse order, also when a later start fails. */
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
  print: (line: string) => void,
): NodeJS.ProcessEnv {
  if (url)
    print(
      'DATABASE_URL is ignored, because the demo keeps its data in a folder. Pass your own --config to use it.',
    );
  return others;
}

/** The ports at which debuggers attach. */
const INSPECT_PORT = 9_229;

/** Starts the platform's process, which loads its code while the rest is built. */
function forkPlatform({ configFile, onProgress, onCrash }: DemoOptions, program: string): PlatformNode {
  const environment = configFile === null ? withoutDatabase(process.env, onProgress) : process.env;
  return new ServerNode({ name: 'The platform', program, environment, onProgress, onCrash });
}

/** Watches the sources, with tools that nothing else needs. */
async function watchSources({ dataDir, platformUrl, onProgress }: DemoOptions): Promise<Development> {
  const { startDevelopment } = await import('./dev/start-development.ts');
  return await startDevelopment(dataDir, { platform: platformUrl === null, proxy: true }, onProgress);
}

/** Starts a token proxy with the code from the start of this process. */
async function startProxy(parts: ProxyParts, port: number, embedDir: string): Promise<RunningTokenProxy> {
  return await startTokenProxy({ ...createProxyOptions(parts), port, embedDir });
}

/** Starts a token proxy that follows the edits of its sources. */
async function startDevelopedProxy(
  start: ProxyStart,
  development: Development,
  { onProgress, onCrash }: DemoOptions,
): Promise<RunningTokenProxy> {
  const node: ProxyNode = new ServerNode({
    ...{ name: 'The token proxy', program: development.programs.proxy, environment: process.env },
    ...{ onProgress, onCrash },
  });
  try {
    const url = await node.start(start);
    development.follow('proxy', node);
    return { url, close: () => node.close() };
  } catch (error) {
    await node.kill();
    throw error;
  }
}

/** Brings up site, link, token proxy and platform, each on a port of 127.0.0.1. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { portBase, dataDir, hasDesk } = options;
  const { ports, taken } = await choosePorts(portBase, PORT_COUNT);
  const [sitePort, givenProxyPort, platformPort, linkPort] = ports as [number, number, number, number];
  // The platform starts first; its console shows the proxy's address.
  const proxyPort = givenProxyPort || (await findFreePort());
  const [platformInspectPort, proxyInspectPort] = await chooseInspectPorts(options);
  const closers = new Closers();
  const isPlatformHere = options.platformUrl === null;
  const development = options.isDevelopment ? await watchSources(options) : null;
  if (development !== null) closers.add(() => development.close());
  const platform = isPlatformHere
    ? forkPlatform(options, development?.programs.platform ?? PLATFORM_PROGRAM)
    : null;
  try {
    if (development === null) {
      buildConsole();
      buildBench();
    }
    const embedDir = development?.embedDir ?? buildEmbed();
    const secrets = keepSecrets(dataDir);
    const origins = { proxy: '', socket: '', platform: '' };
    const link = await startFlakyLink(NOWHERE, { port: linkPort });
    closers.add(() => link.close());
    let pages: RunningPages | null = null;
    const site: DemoServer = await startDemoServer({
      port: sitePort,
      getOrigins: () => origins,
      link,
      files: createFileStore(filesDir(dataDir), () => `${site.url}/files`),
      platform: platform && createPlatformFaults(platform),
      getDevelopmentPages: () => pages,
      pay: (reference) => reportPayment({ platformUrl, key: secrets.eventsKey }, reference),
    });
    closers.add(() => site.close());
    if (platform !== null) closers.add(() => platform.close());

    // In development the console is at the site, which has no files of the desk.
    const publicUrl = development && platformPort > 0 ? `http://localhost:${platformPort}` : null;
    const configFile = options.configFile ?? writeDemoConfig(dataDir, secrets, site.url, hasDesk, publicUrl);
    const platformUrl =
      options.platformUrl ??
      (await platform?.start({
        configFile,
        dataDir: join(dataDir, 'platform'),
        port: platformPort,
        tokenProxyUrl: `http://localhost:${proxyPort}`,
        consoleUrl: development && `${site.url}/console/`,
        inspectPort: platformInspectPort,
      })) ??
      '';
    if (platform !== null) development?.follow('platform', platform);
    const { hostname, port } = new URL(platformUrl);
    link.retarget({ host: hostname, port: Number(port) });
    origins.socket = `ws://localhost:${link.port}`;
    origins.platform = toLocalhost(platformUrl);
    if (development !== null) {
      const started = await development.startPages({ ...site, platformUrl });
      closers.add(() => started.close());
      pages = started;
    }
    const shownPlatform = toLocalhost(platformUrl);
    const parts: ProxyParts = {
      ...{ configFile, dataDir, platformUrl, siteUrl: site.url, socketUrl: origins.socket },
      // The console's preview of the widget talks to it too.
      allowedOrigins: [site.url, shownPlatform],
      ticketKey: secrets.ticketKey,
    };
    const proxy =
      development === null
        ? await startProxy(parts, proxyPort, embedDir)
        : await startDevelopedProxy(
            { ...parts, port: proxyPort, embedDir, inspectPort: proxyInspectPort },
            development,
            options,
          );
    closers.add(() => proxy.close());
    origins.proxy = toLocalhost(proxy.url);
    const consoleOrigin = development === null ? shownPlatform : site.url;
    const urls: DemoUrls = {
      demo: `${site.url}/`,
      bench: `${site.url}/bench`,
      proxy: `${origins.proxy}/`,
      platform: `${shownPlatform}/`,
      console: isPlatformHere ? `${consoleOrigin}/console/` : null,
    };
    writeRun(dataDir, { urls, configFile: options.configFile });
    return { urls, taken, close: () => closers.closeAll() };
  } catch (error) {
    await closers.closeAll();
    await platform?.close();
    throw error;
  }
}

/** Where debuggers attach to platform and token proxy; null: nowhere. */
async function chooseInspectPorts({
  isInspected,
  portBase,
}: DemoOptions): Promise<readonly [platform: number | null, proxy: number | null]> {
  if (!isInspected) return [null, null];
  const { ports } = await choosePorts(portBase === null ? null : INSPECT_PORT, 2);
  return ports as [number, number];
}
