/** Common code of all HTTP requests and responses. */

export { createCachedCheck } from './cached-check.ts';
export { clientAddress } from './client-address.ts';
export { CORRELATION_HEADER, correlationIdFrom } from './correlation.ts';
export { acquireSlot, answerInShare, createFairShares, type RunInShare } from './fair-shares.ts';
export { findExcess } from './find-excess.ts';
export { isUploadAborted, type JsonBody, LOSSY_NUMBER, readBodyBytes, readJsonBody } from './json-body.ts';
export { type CreateLimiter, limitersInMemory, limitersOfAllNodes } from './limiters.ts';
export { findLossyNumber } from './lossy-number.ts';
export type { AnsweredRequest, RequestObserver } from './observe-requests.ts';
export { createPlatformApp, type PlatformAppOptions, type PlatformEnv } from './platform-app.ts';
export { commonHeaders, type Refusal, refusalResponse, refuseUpgrade } from './refusal.ts';
export { refuseUnreadable } from './refuse-unreadable.ts';
export { startMetricsServer } from './start-metrics-server.ts';
export { createStaticPages } from './static-pages.ts';
export { createRunExclusive, type RunExclusive, streamPieces } from './stream-pieces.ts';
export { createWindowLimiter, type LimitVerdict, type WindowLimiter } from './window-limiter.ts';
