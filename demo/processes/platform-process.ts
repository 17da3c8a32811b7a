import { loadConfig, type Platform, startPlatform } from '@natter/platform';
import type { PlatformCommand, PlatformStart } from './platform-node.ts';
import { serveCalls } from './serve-calls.ts';

/** The demo's platform, in a separate process that can be killed. */
serveCalls<PlatformStart, Platform, PlatformCommand>({
  async start({ configFile, dataDir, port, tokenProxyUrl, consoleUrl }, onProgress) {
    return await startPlatform({
      ...{ port, onProgress },
      ...(consoleUrl !== null && { consoleUrl }),
      ...{ host: '127.0.0.1', isDevelopment: true, hasConsole: true },
      config: await loadConfig(
        { configFile, dataDir },
        { ...process.env, NATTER_TOKEN_PROXY_URL: tokenProxyUrl },
      ),
    });
  },
  commands: {
    expireSessions: (platform) => platform.expireSessions(),
    expireTokens(platform) {
      platform.expireTokens();
      return null;
    },
  },
});
