#!/usr/bin/env node
import { runCommand } from './command/run-command.ts';

const { env: environment, stdout, stderr } = process;
runCommand(process.argv.slice(2), { environment, stdout, stderr }).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : 'The token proxy could not start.'}\n`);
    process.exitCode = 1;
  },
);
