import { loadConfig, type Platform, startPlatform } from '@natter/platform';
import type { PlatformCall, PlatformMessage, PlatformStart } from './platform-node.ts';

/** The demo's platform, in a process of its own that can be killed. Started by `platform-node.ts`, which it obeys. */
let platform: Platform | null = null;

const send = (message: PlatformMessage): void => void process.send?.(message);

async function start({ configFile, dataDir, port, testBenchUrl }: PlatformStart): Promise<string> {
  const config = await loadConfig({ configFile, dataDir });
  platform = await startPlatform({
    ...{ config, port, testBenchUrl, host: '127.0.0.1', isDevelopment: true, hasConsole: true },
    onProgress: (progress) => send({ progress }),
  });
  return platform.url;
}

async function run(call: PlatformCall): Promise<number | string | null> {
  if (call.name === 'start') return await start(call.options);
  if (call.name === 'expireSessions') return (await platform?.expireSessions()) ?? 0;
  if (call.name === 'expireTokens') platform?.expireTokens();
  else await platform?.close();
  return null;
}

process.on('message', (call: PlatformCall) => {
  run(call).then(
    (result) => send({ id: call.id, result }),
    (error: unknown) => send({ id: call.id, error: error instanceof Error ? error.message : String(error) }),
  );
});
// Ctrl-C reaches every process of a terminal; the demo ends this one in its turn.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
// The demo was killed itself.
process.on('disconnect', () => {
  void (platform?.close() ?? Promise.resolve()).then(() => process.exit());
});
