import { startTracing } from '@natter/server-kit/start-tracing';
import { findEmbedDir } from '../embed-files/read-embed-dir.ts';
import { createLog } from '../kit/create-log.ts';
import { startTokenProxy } from '../node.ts';
import { createTicketKey } from '../sessions/ticket-key.ts';
import { readEnvironment } from './read-environment.ts';
import { writeUsage } from './usage.ts';
import { writeWelcome } from './write-welcome.ts';

/** Input and output of the command. */
export interface CommandEnds {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Runs until a signal stops it; a second signal ends it immediately. */
async function runFromEnvironment({ environment, stderr }: CommandEnds): Promise<number> {
  const read = readEnvironment(environment);
  if (read.status === 'refused') {
    stderr.write(read.message);
    return 1;
  }
  const { options } = read;
  const embedDir = options.embedDir ?? findEmbedDir();
  const log = createLog(options.logLevel ?? 'info');
  const tracing = await startTracing('natter-token-proxy', environment, (error) =>
    log.warn({ reason: error instanceof Error ? error.name : typeof error }, 'traces could not be sent'),
  );
  const running = await startTokenProxy({
    ...options,
    log,
    ...(embedDir !== null && { embedDir }),
  });
  // On standard error, so that standard output contains JSON lines only.
  stderr.write(
    writeWelcome({
      url: running.url,
      servesWidget: embedDir !== null,
      connectors: Object.keys(options.connectors),
    }),
  );
  const { hostname, port } = new URL(running.url);
  log.info({ host: options.host ?? hostname, port: Number(port) }, 'the token proxy is ready');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await running.close();
  await tracing?.stop();
  return 0;
}

/** Runs `natter-token-proxy WORDS`; resolves with its exit code. */
export async function runCommand(words: readonly string[], ends: CommandEnds): Promise<number> {
  const { stdout, stderr } = ends;
  const [command] = words;
  if (command === undefined) return runFromEnvironment(ends);
  if (command === '--help' || command === '-h' || command === 'help') {
    stdout.write(writeUsage());
    return 0;
  }
  if (command === 'key') {
    stdout.write(`${createTicketKey()}\n`);
    return 0;
  }
  stderr.write(`Unknown command: ${JSON.stringify(command)}. Try: natter-token-proxy --help\n`);
  return 2;
}
