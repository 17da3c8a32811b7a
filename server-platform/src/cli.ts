#!/usr/bin/env node
import { runCommandLine } from './app/cli/run-command-line.ts';
import { openConfiguredDatabase } from './app/config/index.ts';

// The reader of the output, such as `head`, can exit first. `serve` keeps running then; other commands stop.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (process.argv[2] !== 'serve') process.exit();
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  openDatabase: openConfiguredDatabase,
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
});
