#!/usr/bin/env node
import { createLog } from './create-log.ts';
import { findEmbedDir } from './find-embed-dir.ts';
import { startTokenProxy } from './node.ts';
import { readEnvironment } from './read-environment.ts';
import { startTracing } from './start-tracing.ts';
import { createTicketKey } from './ticket-key.ts';
import { writeUsage } from './usage.ts';
import { writeWelcome } from './write-welcome.ts';

/** Runs until a signal asks it to stop; a second signal ends it at once. */
async function runFromEnvironment(): Promise<number> {
  const read = readEnvironment(process.env);
  if (read.status === 'refused') {
    process.stderr.write(read.message);
    return 1;
  }
  const { proxy, host, port, logLevel } = read.configuration;
  const embedDir = read.configuration.embedDir ?? findEmbedDir();
  const log = createLog(logLevel);
  const tracing = await startTracing('natter-token-proxy', process.env, (error) =>
    log.warn({ reason: error instanceof Error ? error.name : typeof error }, 'traces could not be sent'),
  );
  const running = await startTokenProxy({
    ...proxy,
    host,
    port,
    log,
    ...(embedDir === null ? {} : { embedDir }),
  });
  // To standard error, so that standard output holds JSON lines only.
  process.stderr.write(
    writeWelcome({
      url: running.url,
      servesWidget: embedDir !== null,
      connectors: Object.keys(proxy.connectors),
    }),
  );
  log.info({ host, port: Number(new URL(running.url).port) }, 'the token proxy is ready');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await running.close();
  await tracing?.stop();
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
