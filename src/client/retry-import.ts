/** How often each address has failed on this page. */
const failures = new Map<string, number>();

/**
 * Imports a module that is loaded late. After a failure the next call asks for another address: Firefox remembers a
 * module that failed for as long as the page lives, so that `import()` of the same address never asks the network again.
 * Chromium and Firefox name the address in the error; Safari does not, and retries automatically.
 */
export async function retryImport<Module>(
  load: () => Promise<Module>,
  importFrom: (address: string) => Promise<Module> = (address) =>
    // Left as it is by Vite, webpack and Turbopack, which know no address at build time.
    import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ address),
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    // Bundlers that load modules in their own way report errors of another type, and retry without help.
    const address = error instanceof TypeError ? /https?:\S+\.js/.exec(error.message)?.[0] : undefined;
    if (!address) throw error;
    const before = failures.get(address) ?? 0;
    failures.set(address, before + 1);
    if (before === 0) throw error;
    return importFrom(`${address}?retry=${before}`);
  }
}
