import type { ServerNode } from '../processes/server-node.ts';

/**
 * Returns a function that reloads a server with its current code. All edits during a reload cause one further reload. A
 * failure is reported, and the next edit tries again.
 */
export function createReloader(
  name: string,
  node: Pick<ServerNode<{ readonly port: number }>, 'reload'>,
  print: (line: string) => void,
): () => void {
  let isReloading = false;
  let isAskedAgain = false;
  const run = async (): Promise<void> => {
    isReloading = true;
    do {
      isAskedAgain = false;
      const since = performance.now();
      try {
        await node.reload();
        print(`${name} runs with your edit, after ${((performance.now() - since) / 1_000).toFixed(1)} s.`);
      } catch (error) {
        print(`${name} does not run with your edit: ${error instanceof Error ? error.message : error}`);
      }
    } while (isAskedAgain);
    isReloading = false;
  };
  return () => {
    isAskedAgain = true;
    if (!isReloading) void run();
  };
}
