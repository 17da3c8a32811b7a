import { type Plugin, type RolldownWatcher, type WatchOptions, watch } from 'rolldown';

/** Keeps a bundle up to date with its sources. */
export interface BundleWatch {
  /** Resolves when the bundle was written for the first time. An unreadable source is reported, and its next edit read. */
  readonly isWritten: Promise<void>;
  close(): Promise<void>;
}

/** Groups the edits of several files that are saved together, as an editor or `git` does. */
const BUILD_DELAY_MS = 40;

/** Writes a bundle now and after each edit of its sources. `onRewritten` is called when its code has changed. */
export function watchBundle(
  options: WatchOptions,
  onRewritten: () => void,
  print: (line: string) => void,
): BundleWatch {
  const written = Promise.withResolvers<void>();
  let code: string | null = null;
  let codeBefore: string | null = null;
  const noteCode: Plugin = {
    name: 'natter-note-code',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') code = file.code;
    },
  };
  const watcher: RolldownWatcher = watch({
    ...options,
    plugins: [options.plugins, noteCode],
    logLevel: 'silent',
    watch: { buildDelay: BUILD_DELAY_MS, exclude: /[\\/]node_modules[\\/]/ },
  });
  watcher.on('event', async (event) => {
    if (event.code === 'ERROR') print(event.error.message);
    if (event.code === 'ERROR' || event.code === 'BUNDLE_END') await event.result.close();
    if (event.code !== 'BUNDLE_END') return;
    const isChanged = codeBefore !== null && code !== codeBefore;
    codeBefore = code;
    written.resolve();
    if (isChanged) onRewritten();
  });
  return { isWritten: written.promise, close: () => watcher.close() };
}
