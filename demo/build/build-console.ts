import { buildWhenOld } from './build-when-old.ts';

/** Builds the console into the platform's folder when it is missing or older than its sources. */
export function buildConsole(): void {
  buildWhenOld(
    'the console',
    'server-platform/console/index.html',
    ['console', 'src'],
    ['--config', 'console/vite.config.ts'],
  );
}
