import type { Logger } from 'pino';
import { type AdminSocket, startAdminSocket } from './admin-socket.ts';
import { type CommandContext, FAILED, runCommand } from './run-command.ts';

/**
 * Accepts operator commands for the embedded database, which no second process can open. Resolves with null if the
 * command line opens the database itself, or if the data folder's path is too long.
 */
export async function serveCommands(context: CommandContext, logger: Logger): Promise<AdminSocket | null> {
  const { url, dataDir } = context.config.database;
  if (url !== null || dataDir === 'memory') return null;
  const socket = await startAdminSocket(dataDir, async (request) => {
    logger.info({ command: request.command }, 'running a command of the operator');
    try {
      return await runCommand(context, request);
    } catch (error) {
      logger.error({ err: error }, "could not run an operator's command");
      const message = 'The platform could not run this command; its log says why.';
      return { status: 'refused', message, exitCode: FAILED };
    }
  });
  if (socket === null)
    logger.warn(
      { dataDir },
      'data folder path too long, commands cannot reach this platform: use a shorter path',
    );
  return socket;
}
