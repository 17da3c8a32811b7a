import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMAND_LINE_OPTIONS, PROGRAM_COMMANDS } from './command-line-options.ts';
import { COMMANDS } from './commands.ts';
import { SHELLS, writeCompletion } from './completion.ts';

/** What bash proposes for the last of some words. */
function completeInBash(...typed: readonly string[]): readonly string[] {
  const script = `${writeCompletion('bash')}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_natter_platform
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'natter-platform', ...typed], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('completion', () => {
  const folder = mkdtempSync(join(tmpdir(), 'natter-completion-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('proposes the commands of the table in bash', () => {
    expect(completeInBash('')).toEqual([
      ...new Set(
        [...Object.keys(PROGRAM_COMMANDS), ...Object.keys(COMMANDS)].map((name) => name.split(' ')[0]),
      ),
    ]);
    expect(completeInBash('key', 'r')).toEqual(['rotate', 'revoke']);
    expect(completeInBash('completion', '')).toEqual(SHELLS);
    expect(completeInBash('nothing', '')).toEqual([]);
  });

  it('proposes the options that a command takes, and paths where one is asked for', () => {
    expect(completeInBash('key', 'rotate', 'shop', 'reports', '--o')).toEqual(['--overlap']);
    expect(completeInBash('serve', '--d')).toEqual(['--data', '--dev']);
    expect(completeInBash('serve', '--j')).toEqual([]);
    expect(completeInBash('account', 'list', '--j')).toEqual(['--json']);
    expect(completeInBash('serve', '--config', '/et')).toEqual(['/etc']);
    expect(completeInBash('key', 'rotate', '--overlap', '')).toEqual([]);
  });

  it.each(SHELLS)('is a whole script for %s', (shell) => {
    const script = writeCompletion(shell);
    for (const command of Object.keys(COMMANDS))
      for (const word of command.split(' ')) expect(script).toContain(word);
    for (const name of Object.keys(COMMAND_LINE_OPTIONS)) expect(script).toContain(name);
    const file = join(folder, `completion.${shell}`);
    writeFileSync(file, script);
    const { error, status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    // A shell that is not installed cannot read it.
    if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
