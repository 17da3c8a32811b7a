import { buildWhenOld } from './build-when-old.ts';

/** Builds the test bench when it is missing or older than its sources. */
export function buildBench(): void {
  buildWhenOld(
    'the test bench',
    'demo/dist/bench/index.html',
    ['demo/bench', 'demo/recording', 'console', 'e2e/recordings', 'src'],
    ['--config', 'demo/bench/ui/vite.config.ts'],
  );
}
