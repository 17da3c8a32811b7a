/** The people of an account, for desk and console: accounts, sign-in, OIDC, roles, audit log. */
export { COMMAND_LINE, listAudit, writeAudit } from './audit.ts';
export {
  createCheckSignIn,
  createOidcLimit,
  findPeopleAt,
  listSlugs,
  type SignInAttempt,
} from './check-sign-in.ts';
export { DeskError, isDeskError, REFUSALS } from './desk-error.ts';
export { readKnownDevice, writeDeviceCookie } from './known-device.ts';
export {
  changePerson,
  invitePerson,
  resetPassword,
  setDisabled,
  signOutEverywhere,
} from './manage-people.ts';
export { createOidcSignIn, type OidcConfig, type OidcSignIn, oidcSchema } from './oidc-sign-in.ts';
export { hashPassword, MIN_PASSWORD_CHARACTERS } from './password.ts';
export {
  addPerson,
  DEFAULT_CAPACITY,
  EMAIL,
  findPeopleByEmail,
  findPersonById,
  isConnected,
  listPeople,
  MAX_CAPACITY,
  noteOffered,
  noteSeen,
  type Person,
  ROLES,
  type Role,
  removePerson,
  setPassword,
  setPresence,
  toLiveAgent,
} from './people.ts';
export type { PeopleServer, PersonCall, PersonRoute, PersonRouteInfo } from './person-call.ts';
export { createPersonCalls, DEFAULT_COST, HEAVY_COST, type PersonCalls } from './person-calls.ts';
export { addSignIn, findSignedIn, readSignInCookie, removeSignIn, writeSignInCookie } from './sign-ins.ts';
