import { MANAGE_COMMANDS, type ManageCommands } from '../accounts/index.ts';
import { WEBHOOK_COMMANDS } from '../api/webhooks/index.ts';
import { DESK_COMMANDS } from '../desk/index.ts';
import { BACKUP_COMMANDS } from '../records/backup/index.ts';
import { ERASURE_COMMANDS, REMOVAL_COMMANDS } from '../records/erasure/index.ts';
import { SESSION_COMMANDS } from '../records/inspect/index.ts';

/** The operator's commands other than `serve`, by noun and verb. */
export const COMMANDS: ManageCommands = {
  ...MANAGE_COMMANDS,
  ...SESSION_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...ERASURE_COMMANDS,
  ...REMOVAL_COMMANDS,
  ...DESK_COMMANDS,
  ...BACKUP_COMMANDS,
};
