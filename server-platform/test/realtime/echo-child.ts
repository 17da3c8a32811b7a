/** A platform in a separate process that answers. Started with `shift-clock.ts`, its clock is off. */
import { startPlatform } from '../../src/app/start-platform.ts';
import { type CrashPlace, createCrashOptions } from './crash-options.ts';
import { echoScript } from './scripted-agent.ts';

const place: CrashPlace = JSON.parse(process.argv[2] ?? '{}');
const { databaseUrl, busUrl } = { databaseUrl: '', busUrl: undefined, ...place };
const platform = await startPlatform(
  createCrashOptions({ databaseUrl, ...(busUrl !== undefined && { busUrl }) }, echoScript),
);
process.send?.({ port: platform.port });
