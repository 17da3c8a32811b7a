/** Backup, restore, and the migration from the embedded database to PostgreSQL. */
export { BACKUP_COMMANDS } from './manage-backup.ts';
