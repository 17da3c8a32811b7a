export type { Concurrency, Overview } from '../../../server-platform/src/console-api/index.ts';
