import { isAccountError } from '../accounts/index.ts';
import type { Database } from '../db/index.ts';
import type { ReadTraces } from '../realtime/trace/index.ts';
import type { EraseOptions } from '../records/erasure/index.ts';
import type { SessionOptions } from '../records/inspect/index.ts';
import type { AdminAnswer, AdminRequest } from './admin-socket.ts';
import { COMMANDS } from './commands.ts';
import type { PlatformConfig } from './config/index.ts';

/** Exit code of a valid command that failed. */
export const FAILED = 1;

/** Exit code for a command or configuration that must be corrected. */
export const INVALID_USAGE = 2;

/** Dependencies of commands. */
export interface CommandContext {
  readonly database: Database;
  readonly config: PlatformConfig;
  /** Names of the available agents. */
  readonly agents: readonly string[];
  /** Reads reports from the nodes; absent: commands that need them report that they were not read. */
  readonly readTraces?: ReadTraces;
  /** Receives slow steps and warnings. Default: none are reported. */
  readonly onProgress?: (line: string) => void;
}

/** Runs a command of the operator. Rejects on unexpected failures; an expected one is an answer. */
export async function runCommand(context: CommandContext, request: AdminRequest): Promise<AdminAnswer> {
  const { command, words, values } = request;
  const known = COMMANDS[command];
  if (known === undefined)
    return { status: 'refused', message: `There is no command "${command}".`, exitCode: INVALID_USAGE };
  try {
    const { lines, json } = await known.run(context.database, words, toOptions(context, values));
    return { status: 'done', lines: values['json'] === true ? [JSON.stringify(json, null, 2)] : lines };
  } catch (error) {
    if (!isAccountError(error)) throw error;
    const exitCode = error.code === 'invalid' ? INVALID_USAGE : FAILED;
    return { status: 'refused', message: error.message, exitCode };
  }
}

function toOptions(
  { config, agents, onProgress, readTraces }: CommandContext,
  values: AdminRequest['values'],
): EraseOptions & SessionOptions {
  // The command line has validated them against its option table, here or before sending them to the admin socket.
  const input = values as Partial<Record<string, never>>;
  return {
    ...input,
    domains: input['domain'] ?? [],
    apps: input['app'] ?? [],
    permissions: input['permission'] ?? [],
    isLegacy: input['legacy'] ?? false,
    isConfirmed: input['yes'] ?? false,
    queues: input['queue'],
    skills: input['skill'],
    languages: input['language'],
    closedText: input['closed-text'],
    urlFile: input['url-file'],
    withTexts: input['texts'],
    readTraces,
    onProgress,
    agents,
    audio: { dataDir: config.database.dataDir, objectStore: config.rest.voice.objectStore },
  };
}
