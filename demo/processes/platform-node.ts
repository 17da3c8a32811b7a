import { fileURLToPath } from 'node:url';
import type { PlatformFaults } from '../bench/faults.ts';
import type { InspectedStart } from './serve-calls.ts';
import type { ServerNode } from './server-node.ts';

/** Options of the platform's process. */
export interface PlatformStart extends InspectedStart {
  readonly configFile: string;
  readonly dataDir: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Address of the token proxy as browsers reach it. */
  readonly tokenProxyUrl: string;
  /** Where a development server serves the console's pages; null: the platform serves those that were built. */
  readonly consoleUrl: string | null;
}

/** Further commands of the platform's process. */
export type PlatformCommand = 'expireSessions' | 'expireTokens';

/** The demo's platform. */
export type PlatformNode = ServerNode<PlatformStart, PlatformCommand>;

/** The program of the platform's process. */
export const PLATFORM_PROGRAM = fileURLToPath(new URL('./platform-process.ts', import.meta.url));

/** Faults that the test bench can cause in the platform. */
export function createPlatformFaults(node: PlatformNode): PlatformFaults {
  return {
    expireSessions: async () => Number(await node.run('expireSessions')),
    expireTokens: async () => void (await node.run('expireTokens')),
    restart: () => node.restart(),
    kill: () => node.kill(),
  };
}
