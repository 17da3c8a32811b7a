import type { Operations } from '../../../server-platform/src/console-api/index.ts';

export type {
  ConsoleConnector,
  ConsoleKey,
  NewSecret,
  Operations,
  Retention,
} from '../../../server-platform/src/console-api/index.ts';

/** A node of the platform. */
export type PlatformNode = Operations['nodes'][number];

/** Figures of a node at a time, and of the time since the sample before. */
export type FigureSample = NonNullable<PlatformNode['figures']>['samples'][number];
