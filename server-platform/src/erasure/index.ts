/** Erasure and retention. */
export { startErasureFamily } from './erasure-family.ts';
export { ERASURE_COMMANDS, type EraseOptions } from './manage-erasure.ts';
export { REMOVAL_COMMANDS } from './manage-removal.ts';
export { eraseVisitorData, readVisitorData } from './visitor-data.ts';
