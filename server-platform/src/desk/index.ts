/** The platform's own desk: people of the account who take conversations over from the automated agent. */

export { writeAudit } from './audit.ts';
export { describePersonApp } from './describe-person-app.ts';
export { Desk } from './desk.ts';
export { DeskError } from './desk-error.ts';
export { type OwnDeskServices, startDeskFamily } from './desk-family.ts';
export { createDeskProvider } from './desk-provider.ts';
export { meView } from './desk-schemas.ts';
export { viewMe } from './desk-views.ts';
export { DESK_COMMANDS } from './manage-desk.ts';
export { type OidcConfig, oidcSchema } from './oidc-sign-in.ts';
export { createPersonApp } from './person-app.ts';
export type { PeopleServer, PersonCall, PersonRoute, PersonRouteInfo } from './person-call.ts';
export { createPersonCalls, HEAVY_COST, type PersonCalls } from './person-calls.ts';
export {
  answerStream,
  makeRoomForStream,
  openPersonStream,
  type PersonStream,
  readCursor,
} from './person-stream.ts';
export { type DeskEntry, deskEntrySchema, setUpDesk } from './set-up-desk.ts';
export { findSignedIn } from './sign-ins.ts';
