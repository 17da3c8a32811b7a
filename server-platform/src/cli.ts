#!/usr/bin/env node
import { runCommandLine } from './app/cli/run-command-line.ts';
import { openConfiguredDatabase } from './app/config/index.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  openDatabase: openConfiguredDatabase,
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
});
