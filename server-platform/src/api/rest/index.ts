/** Shared code of the REST route groups. */
export { createRestApp, pathOf, refuseWithoutRegion } from './create-rest-app.ts';
export { errorAnswer, jsonAnswer } from './error-answer.ts';
export type { ServiceHost } from './host-regions.ts';
export { removeOldAnswers } from './idempotent-answers.ts';
export { refuseNulCharacters } from './refuse-nul.ts';
export { isRestError, REST_ERRORS, RestError, validationError } from './rest-error.ts';
export {
  type AccountCall,
  accountRoute,
  connectorRoute,
  type ProjectCall,
  projectRoute,
  type RestRoute,
} from './rest-route.ts';
export type { RestFamily, RestServices, RestSettings } from './rest-services.ts';
export { createSearchShares } from './search-shares.ts';
