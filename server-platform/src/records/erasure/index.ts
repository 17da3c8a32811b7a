/** Erasure and retention. */
export { countDue, MAX_COUNTED_DUE } from './count-due.ts';
export { type EraseOnRequest, startErasureFamily } from './erasure-family.ts';
export { ERASURE_COMMANDS, type EraseOptions } from './manage-erasure.ts';
export { REMOVAL_COMMANDS } from './manage-removal.ts';
export { countRemoval } from './removal-scope.ts';
export { removeScope } from './remove-scope.ts';
export { eraseVisitorData, readVisitorData } from './visitor-data.ts';
