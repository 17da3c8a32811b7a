#!/usr/bin/env node
import { createLog } from './create-log.ts';
import { startTokenProxy } from './node.ts';
import { readEnvironment } from './read-environment.ts';
import { createTicketKey } from './ticket-key.ts';
import { writeUsage } from './usage.ts';

/** Runs until a signal asks it to stop; a second signal ends it at once. */
async function runFromEnvironment(): Promise<number> {
  const read = readEnvironment(process.env);
  if (read.status === 'refused') {
    process.stderr.write(read.message);
    return 1;
  }
  const { proxy, host, port, embedDir, logLevel } = read.configuration;
  const log = createLog(logLevel);
  const running = await startTokenProxy({
    ...proxy,
    host,
    port,
    log,
    ...(embedDir === null ? {} : { embedDir }),
  });
  log.info({ host, port: Number(new URL(running.url).port) }, 'the token proxy is ready');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await running.close();
  return 0;
}

async function main(words: readonly string[]): Promise<number> {
  const [command] = words;
  if (command === undefined) return runFromEnvironment();
  if (command === '--help' || command === '-h' || command === 'help') {
    process.stdout.write(writeUsage());
    return 0;
  }
  if (command === 'key') {
    process.stdout.write(`${createTicketKey()}\n`);
    return 0;
  }
  process.stderr.write(`There is no command ${JSON.stringify(command)}. Try: natter-token-proxy --help\n`);
  return 2;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : 'The token proxy could not start.'}\n`);
    process.exitCode = 1;
  },
);
