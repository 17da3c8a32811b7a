import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startTracing } from '@natter/server-kit/start-tracing';
import { isDatabaseError } from '../../db/index.ts';
import { type AdminAnswer, type AdminRequest, askAdminSocket } from '../admin-socket.ts';
import { COMMANDS } from '../commands.ts';
import {
  type AddedConnector,
  type AddedKey,
  ConfigError,
  ENVIRONMENT_VARIABLES,
  isConfigError,
  loadConfig,
  type openConfiguredDatabase,
  type PlatformConfig,
} from '../config/index.ts';
import { FAILED, INVALID_USAGE, runCommand } from '../run-command.ts';
import {
  COMMAND_LINE_OPTIONS,
  COMMAND_OPTIONS,
  COMMON_OPTIONS,
  SERVE_USAGE,
} from './command-line-options.ts';

// How long remaining connections or timers may keep the process alive after a shutdown.
const LEFTOVERS_MS = 500;

type Options = ReturnType<typeof readArguments>['values'];

function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], options: COMMAND_LINE_OPTIONS, allowPositionals: true });
}

const HELP = `natter-platform: the conversational agent platform

  natter-platform serve ${SERVE_USAGE}
      Serves until SIGINT or SIGTERM; a second signal exits at once.
${Object.entries(COMMANDS)
  .map(([command, { usage }]) => `  natter-platform ${command} ${usage}`.trimEnd())
  .join('\n')}

Options
${Object.entries(COMMAND_LINE_OPTIONS)
  .map(([name, option]) => {
    const short = 'short' in option ? `-${option.short}, ` : '    ';
    return `  ${short}${`--${name}`.padEnd(14)} ${option.help}`;
  })
  .join('\n')}

Environment
${Object.entries(ENVIRONMENT_VARIABLES)
  .map(([name, help]) => `  ${name.padEnd(26)} ${help}`)
  .join('\n')}

The command line overrides the environment, and the environment the file.
Exit codes: 0 done, 1 failed, 2 to be corrected.`;

const WHILE_SERVING =
  'The platform that uses this data folder runs its commands itself, but does not respond. Stop it, run the command again, then start it.';

/** Where a command line reads settings and data, and prints to. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens the database that the configuration names. */
  readonly openDatabase: typeof openConfiguredDatabase;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
};

/** Runs the command line and resolves with the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await run(args, terminal);
  } catch (error) {
    return explain(error, terminal);
  }
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { print, printError } = terminal;
  const misuse = (problem: string): number => refuse(problem, terminal);
  const { values, positionals } = readArguments(args);
  const [noun, verb, ...words] = positionals;
  if (values.help === true || noun === undefined || noun === 'help') {
    print(HELP);
    return noun === undefined && values.help !== true ? INVALID_USAGE : 0;
  }
  if (noun === 'serve') {
    if (verb !== undefined) return misuse(`serve takes no "${verb}"`);
    refuseOptions('serve', SERVE_USAGE, COMMON_OPTIONS, values);
    return await serve(
      await readConfig(values, terminal),
      values.dev === true,
      values.console === true,
      terminal,
    );
  }
  const name = COMMANDS[noun] === undefined ? `${noun} ${verb ?? ''}` : noun;
  const command = COMMANDS[name];
  if (command === undefined) return misuse(`there is no command "${positionals.slice(0, 2).join(' ')}"`);
  refuseOptions(name, command.usage, COMMAND_OPTIONS, values);
  const commandArguments = name === noun ? positionals.slice(1) : words;
  const config = await readConfig(values, terminal);
  const answer = await runLocallyOrRemotely(config, terminal, {
    command: name,
    // The process that executes it may have another working directory.
    words: command.hasPath === true ? commandArguments.map((path) => resolve(path)) : commandArguments,
    values,
  });
  if (answer.status === 'refused') {
    printError(answer.message);
    return answer.exitCode;
  }
  for (const line of answer.lines) print(line);
  return 0;
}

/** Runs a command on the database, or sends it to the platform process that has the embedded one open. */
async function runLocallyOrRemotely(
  config: PlatformConfig,
  { openDatabase, printError }: Terminal,
  request: AdminRequest,
): Promise<AdminAnswer> {
  const { isOffline = false, mayMigrate = false, asksNodes = false } = COMMANDS[request.command] ?? {};
  const options = { onProgress: printError, mayMigrate };
  const database = await openDatabase(config, options).catch(async (error: unknown) => {
    if (isOffline || !isDatabaseError(error) || error.code !== 'locked') throw error;
    const answer = await askAdminSocket(config.database.dataDir, request);
    if (answer === null) throw error;
    return answer;
  });
  if ('status' in database) return database;
  // Loaded on demand, because only this kind of command needs the bus.
  const questions = asksNodes
    ? await (await import('./open-node-trace-reader.ts')).openNodeTraceReader(config, database)
    : null;
  try {
    const context = { database, config, agents: [...config.agents.keys()], onProgress: printError };
    return await runCommand({ ...context, ...(questions && { readTraces: questions.readTraces }) }, request);
  } finally {
    await questions?.close();
    await database.close();
  }
}

/** Rejects an option that the command would ignore. Fails with a `ConfigError`. */
function refuseOptions(command: string, usage: string, common: readonly string[], values: Options): void {
  const problems = Object.keys(values)
    .filter((name) => !common.includes(name) && !usage.split(/[^\w-]/).includes(`--${name}`))
    .map((name) => ({ field: `--${name}`, message: `is no option of "${command}"` }));
  if (problems.length > 0) throw new ConfigError('the command line', problems);
}

async function readConfig(
  { config, host, port, data }: Options,
  { environment }: Terminal,
): Promise<PlatformConfig> {
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new ConfigError('the command line', [
      { field: '--port', message: 'must be a number from 0 to 65535' },
    ]);
  }
  const overrides = {
    configFile: config,
    host,
    port: port === undefined ? undefined : Number(port),
    dataDir: data,
  };
  return await loadConfig(overrides, environment);
}

async function serve(
  config: PlatformConfig,
  isDevelopment: boolean,
  hasConsole: boolean,
  { environment, print, printError }: Terminal,
): Promise<number> {
  // Loaded on demand, because only `serve` needs the server.
  const { startPlatform } = await import('../../index.ts');
  const tracing = await startTracing('natter-platform', environment, (error) =>
    printError(`Traces could not be sent: ${error instanceof Error ? error.message : 'unknown failure'}`),
  );
  const platform = await startPlatform({ config, isDevelopment, hasConsole, onProgress: print });
  for (const added of platform.addedConnectors) announceConnector(added, print);
  for (const added of platform.addedKeys) announceKey(added, print);
  if (platform.metricsUrl !== null) print(`Metrics on ${platform.metricsUrl}`);
  if (hasConsole) print(`Console on ${platform.url}/console/`);
  print(`Serving on ${platform.url}`);
  await signalled();
  print('Shutting down …');
  await platform.close();
  await tracing?.stop();
  // Does not keep the process alive, but ends it when something else does, such as an agent that never returns.
  setTimeout(() => process.exit(), LEFTOVERS_MS).unref();
  return 0;
}

function announceConnector(
  { account, project, connector, token, isGiven }: AddedConnector,
  print: Terminal['print'],
): void {
  print(`Added connector ${account}/${project}/${connector}.`);
  if (!isGiven) print(`Its token, shown only this once: ${token}`);
}

function announceKey(
  { account, project, name, key, permissions, isGiven }: AddedKey,
  print: Terminal['print'],
): void {
  print(
    `Added key ${name} of ${account}${project === null ? '' : `/${project}`}: ${permissions.join(', ')}.`,
  );
  if (!isGiven) print(`The key, shown only this once: ${key}`);
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let isFirst = true;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (!isFirst) process.exit(FAILED);
        isFirst = false;
        resolve();
      });
    }
  });
}

function refuse(problem: string, { printError }: Terminal): number {
  printError(`natter-platform: ${problem}. See natter-platform --help`);
  return INVALID_USAGE;
}

/** Returns the exit code for a thrown value, after printing the remedy. */
function explain(error: unknown, terminal: Terminal): number {
  const { printError } = terminal;
  if (isConfigError(error)) {
    printError(error.message);
    return INVALID_USAGE;
  }
  if (isDatabaseError(error)) {
    printError(error.message);
    if (error.code === 'locked') printError(WHILE_SERVING);
    return FAILED;
  }
  if (isListenError(error)) {
    const { code, address, port } = error;
    const why = code === 'EADDRINUSE' ? 'another program uses this port' : 'the system does not allow it';
    printError(
      `Cannot listen on ${address}:${port}: ${why}. Choose another port with --port or NATTER_PORT.`,
    );
    return FAILED;
  }
  if (isUnknownHost(error)) {
    printError(
      `Cannot listen on ${error.hostname}: it has no address here (${error.code}). Choose another with --host, NATTER_HOST or NATTER_METRICS_HOST.`,
    );
    return FAILED;
  }
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
    return refuse(error.message.replace(/\.$/, ''), terminal);
  }
  printError(error instanceof Error ? (error.stack ?? error.message) : 'unknown failure');
  return FAILED;
}

type ListenError = Error & { readonly code: string; readonly address: string; readonly port: number };

function isListenError(error: unknown): error is ListenError {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen' && 'port' in error;
}

type UnknownHost = Error & { readonly code: string; readonly hostname: string };

/** Name resolution errors reach this point only from ports being opened. */
function isUnknownHost(error: unknown): error is UnknownHost {
  return (
    error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo' && 'hostname' in error
  );
}
