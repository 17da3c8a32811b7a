/** Backup, restore, and the way from the embedded database to PostgreSQL. */
export { BACKUP_COMMANDS } from './manage-backup.ts';
