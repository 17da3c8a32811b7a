import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLATFORM_PROGRAM } from '../processes/platform-node.ts';
import type { ServerNode } from '../processes/server-node.ts';
import { createReloader } from './create-reloader.ts';
import {
  type DevelopmentSite,
  type RunningPages,
  startDevelopmentPages,
  toClientUrl,
  toSourceUrl,
} from './development-pages.ts';
import type { ProxyStart } from './proxy-process.ts';
import { describeServerBundle } from './server-bundle.ts';
import { type BundleWatch, watchBundle } from './watch-bundle.ts';
import { describeLoaderBundle, writeWidgetFiles } from './widget-files.ts';

type AnyNode = Pick<ServerNode<{ readonly port: number }>, 'reload'>;

/** The token proxy in a separate process. */
export type ProxyNode = ServerNode<ProxyStart>;

/** Keeps a demo up to date with its sources. */
export interface Development {
  /** The programs of the servers' processes; each file exists, and is written again after each edit. */
  readonly programs: Readonly<Record<ServerName, string>>;
  /** The folder with the files of the widget. */
  readonly embedDir: string;
  /** Lets a server follow the edits of its sources. */
  follow(name: ServerName, node: AnyNode): void;
  /** Serves sources to pages, in the port of the site. */
  startPages(site: Omit<DevelopmentSite, 'cacheDir'>): Promise<RunningPages>;
  close(): Promise<void>;
}

export type ServerName = 'platform' | 'proxy';

const PROGRAMS: Readonly<Record<ServerName, string>> = {
  platform: PLATFORM_PROGRAM,
  proxy: fileURLToPath(new URL('./proxy-process.ts', import.meta.url)),
};
const NAMES: Readonly<Record<ServerName, string>> = { platform: 'The platform', proxy: 'The token proxy' };

/** Writes the programs of both servers and begins to watch their sources. `isHere`: whether each runs here. */
export async function startDevelopment(
  dataDir: string,
  isHere: Readonly<Record<ServerName, boolean>>,
  print: (line: string) => void,
): Promise<Development> {
  const folder = resolve(dataDir, 'dev');
  const embedDir = join(folder, 'embed');
  mkdirSync(embedDir, { recursive: true });
  const programs = { platform: join(folder, 'platform.js'), proxy: join(folder, 'proxy.js') };
  const reloaders = new Map<ServerName, () => void>();
  const watches: BundleWatch[] = [];
  const watchServer = (name: ServerName): Promise<void> => {
    const bundle = describeServerBundle(PROGRAMS[name], programs[name], name === 'platform');
    const watch = watchBundle(bundle, () => reloaders.get(name)?.(), print);
    watches.push(watch);
    return watch.isWritten;
  };
  await Promise.all((['platform', 'proxy'] as const).filter((name) => isHere[name]).map(watchServer));

  return {
    programs,
    embedDir,
    follow: (name, node) => void reloaders.set(name, createReloader(NAMES[name], node, print)),
    async startPages(site) {
      const pages = await startDevelopmentPages({ ...site, cacheDir: join(folder, 'vite') });
      writeWidgetFiles(embedDir, (file) => toSourceUrl(site.url, file));
      const loader = watchBundle(
        describeLoaderBundle(embedDir, toClientUrl(site.url)),
        () => pages.reload(),
        print,
      );
      watches.push(loader);
      await loader.isWritten;
      return pages;
    },
    async close() {
      reloaders.clear();
      for (const watch of watches) await watch.close();
    },
  };
}
