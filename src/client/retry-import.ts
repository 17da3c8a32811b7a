/** Number of failures per address on this page. */
const failures = new Map<string, number>();

/**
 * Imports a module that is loaded late. After a failure the next call uses another address, because Firefox caches a
 * failed module for the page's lifetime, and `import()` of the same address makes no further request. Chromium and
 * Firefox name the address in the error; Safari does not, and retries automatically.
 */
export async function retryImport<Module>(
  load: () => Promise<Module>,
  importFrom: (address: string) => Promise<Module> = (address) =>
    // Left unchanged by Vite, webpack and Turbopack, because the address is unknown at build time.
    import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ address),
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    // Bundlers with their own loading report errors of another type, and retry by themselves.
    const address = error instanceof TypeError ? /https?:\S+\.js/.exec(error.message)?.[0] : undefined;
    if (!address) throw error;
    const before = failures.get(address) ?? 0;
    failures.set(address, before + 1);
    if (before === 0) throw error;
    return importFrom(`${address}?retry=${before}`);
  }
}
