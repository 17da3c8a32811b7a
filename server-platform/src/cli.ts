#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { isAccountError } from './accounts/index.ts';
import { COMMANDS } from './commands.ts';
import {
  type AddedConnector,
  type AddedKey,
  ConfigError,
  ENVIRONMENT_VARIABLES,
  isConfigError,
  loadConfig,
  openConfiguredDatabase,
  type PlatformConfig,
} from './config/index.ts';
import { isDatabaseError } from './db/index.ts';

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  host: { type: 'string' },
  port: { type: 'string', short: 'p' },
  data: { type: 'string', short: 'd' },
  name: { type: 'string' },
  agent: { type: 'string' },
  domain: { type: 'string', multiple: true },
  app: { type: 'string', multiple: true },
  environment: { type: 'string' },
  project: { type: 'string' },
  permission: { type: 'string', multiple: true },
  legacy: { type: 'boolean' },
  region: { type: 'string' },
  expires: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The command was understood and failed. */
const FAILED = 1;

/** The command or the configuration has to be corrected. */
const MISUSED = 2;

type Options = ReturnType<typeof readArguments>['values'];

function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
}

const HELP = `natter-platform: the conversational agent platform

  natter-platform serve [--config FILE] [--host ADDRESS] [--port NUMBER] [--data FOLDER]
      Serves until SIGINT or SIGTERM; a second signal exits at once.
${Object.entries(COMMANDS)
  .map(([command, { usage }]) => `  natter-platform ${command} ${usage}`.trimEnd())
  .join('\n')}

Options of every command
  -c, --config FILE    configuration file (JSON)
  -d, --data FOLDER    folder of the embedded database; default .natter/platform
  -h, --help           this text

Environment
${Object.entries(ENVIRONMENT_VARIABLES)
  .map(([name, help]) => `  ${name.padEnd(26)} ${help}`)
  .join('\n')}

The command line wins over the environment, the environment over the file.
Exit codes: 0 done, 1 failed, 2 to be corrected.`;

const WHILE_SERVING =
  'If that is the server: stop it, run this again, start it; or put the entry into its configuration file and restart it.';

/** Runs the command line and resolves with the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args);
  const [noun, verb, ...words] = positionals;
  if (values.help === true || noun === undefined || noun === 'help') {
    print(HELP);
    return noun === undefined && values.help !== true ? MISUSED : 0;
  }
  if (noun === 'serve') {
    if (verb !== undefined) return misuse(`serve takes no "${verb}"`);
    return await serve(await readConfig(values));
  }
  const command = COMMANDS[`${noun} ${verb ?? ''}`];
  if (command === undefined) return misuse(`there is no command "${positionals.slice(0, 2).join(' ')}"`);
  const database = await openConfiguredDatabase(await readConfig(values), printError);
  try {
    const { domain = [], app = [], permission = [], legacy = false } = values;
    const lines = await command.run(database, words, {
      ...values,
      domains: domain,
      apps: app,
      permissions: permission,
      isLegacy: legacy,
    });
    for (const line of lines) print(line);
    return 0;
  } finally {
    await database.close();
  }
}

async function readConfig({ config, host, port, data }: Options): Promise<PlatformConfig> {
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new ConfigError('the command line', [
      { field: '--port', message: 'must be a number from 0 to 65535' },
    ]);
  }
  return await loadConfig({
    configFile: config,
    host,
    port: port === undefined ? undefined : Number(port),
    dataDir: data,
  });
}

async function serve(config: PlatformConfig): Promise<number> {
  // Loaded here: the other commands need no server.
  const { startPlatform } = await import('./index.ts');
  const platform = await startPlatform({ config, onProgress: print });
  for (const added of platform.addedConnectors) announceConnector(added);
  for (const added of platform.addedKeys) announceKey(added);
  print(`Serving on ${platform.url}`);
  await signalled();
  print('Shutting down …');
  await platform.close();
  return 0;
}

function announceConnector({ account, project, connector, token, isGiven }: AddedConnector): void {
  print(`Added connector ${account}/${project}/${connector}.`);
  if (!isGiven) print(`Its token, shown only this once: ${token}`);
}

function announceKey({ account, project, name, key, permissions, isGiven }: AddedKey): void {
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

function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function misuse(problem: string): number {
  process.stderr.write(`natter-platform: ${problem}. See natter-platform --help\n`);
  return MISUSED;
}

/** The exit code for what was thrown, after telling what to do about it. */
function explain(error: unknown): number {
  if (isConfigError(error)) {
    process.stderr.write(`${error.message}\n`);
    return MISUSED;
  }
  if (isAccountError(error)) {
    process.stderr.write(`${error.message}\n`);
    return error.code === 'invalid' ? MISUSED : FAILED;
  }
  if (isDatabaseError(error)) {
    process.stderr.write(`${error.message}\n`);
    if (error.code === 'locked') process.stderr.write(`${WHILE_SERVING}\n`);
    return FAILED;
  }
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
    return misuse(error.message.replace(/\.$/, ''));
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'unknown failure'}\n`);
  return FAILED;
}

process.exitCode = await main(process.argv.slice(2)).catch(explain);
