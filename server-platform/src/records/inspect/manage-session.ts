import {
  AccountError,
  type CommandOutput,
  type ManageCommands,
  type ManageOptions,
  readCommandArguments,
} from '../../accounts/index.ts';
import type { Database } from '../../db/index.ts';
import type { ReadTraces } from '../../realtime/trace/index.ts';
import { findSubject } from './find-subject.ts';
import { readTimeline } from './read-timeline.ts';
import { writeTimeline } from './write-timeline.ts';

/** Options of the command, in addition to every command's. */
export type SessionOptions = ManageOptions & {
  readonly withTexts?: boolean | undefined;
  /** A sequence of the log. */
  readonly after?: string | undefined;
  /** Absent: nodes cannot be asked. */
  readonly readTraces?: ReadTraces | undefined;
};

/** The command that shows a conversation's timeline. */
export const SESSION_COMMANDS: ManageCommands = {
  'session show': { usage: 'ID [--texts] [--after SEQUENCE]', asksNodes: true, run: sessionShow },
};

async function sessionShow(
  database: Database,
  args: readonly string[],
  { withTexts = false, after = '0', readTraces = noNode }: SessionOptions,
): Promise<CommandOutput> {
  const [id] = readCommandArguments(args, SESSION_COMMANDS, 'session show', 1);
  if (!/^\d{1,9}$/.test(after))
    throw new AccountError('invalid', '--after must be a sequence of the log, such as 2000.');
  const subject = await findSubject(database, id);
  const timeline = await readTimeline({ database, readTraces }, subject, { withTexts, after: Number(after) });
  return { lines: writeTimeline(timeline), json: timeline };
}

const noNode: ReadTraces = async () => ({ nodes: [], whyNone: 'No node was asked.' });
