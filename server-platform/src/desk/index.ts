/** The platform's own desk, where the account's staff take conversations over from the automated agent. */

export { describePersonApp } from './api/describe-person-app.ts';
export {
  type auditView,
  type detailsView,
  type foundView,
  type inboxView,
  meView,
  type peopleView,
  type repliesView,
  type serviceLevelsView,
} from './api/desk-schemas.ts';
export { viewMe } from './api/desk-views.ts';
export { peoplePartView, viewPeoplePart } from './api/people-part.ts';
export { createPersonApp } from './api/person-app.ts';
export {
  answerStream,
  makeRoomForStream,
  openPersonStream,
  type PersonStream,
  readCursor,
} from './api/person-stream.ts';
export { followRights, whileAllowed } from './api/rights.ts';
export { Desk } from './desk.ts';
export { type OwnDeskServices, startDeskFamily } from './desk-family.ts';
export { type DeskMetric, readDeskMetric } from './desk-metrics.ts';
export { createDeskProvider } from './desk-provider.ts';
export { DESK_COMMANDS } from './manage-desk.ts';
export { readRequestBacklog } from './requests.ts';
export { type DeskEntry, deskEntrySchema, setUpDesk } from './set-up-desk.ts';
