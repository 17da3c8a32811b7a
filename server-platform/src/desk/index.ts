/** The platform's own desk: people of the account who take conversations over from the automated agent. */

export { Desk } from './desk.ts';
export { type OwnDeskServices, startDeskFamily } from './desk-family.ts';
export { createDeskProvider } from './desk-provider.ts';
export { DESK_COMMANDS } from './manage-desk.ts';
export { type OidcConfig, oidcSchema } from './oidc-sign-in.ts';
export { type DeskEntry, deskEntrySchema, setUpDesk } from './set-up-desk.ts';
