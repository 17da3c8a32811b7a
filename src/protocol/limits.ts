// Numbers both ends agree on. Source: messaging.md 5.3, 10, 13 and 19.

/** One frame from a client, whole, in UTF-8 bytes. */
export const maxClientFrameBytes = 131_072;
/** Above this a platform closes with 1009. */
export const hardMaxFrameBytes = 1_048_576;
export const maxCustomKeys = 16;
export const maxCustomKeyBytes = 64;
export const maxCustomValueBytes = 1_024;
export const maxEventsPerBatch = 200;
export const defaultHeartbeatIntervalSeconds = 30;
/** What a reader assumes when a session start does not say. */
export const assumedReconnectAttempts = 10;
export const inactivityMs = 600_000;
export const replayQuietMs = 250;
export const chunkHoleMs = 3_000;
export const maxSocketAgeMs = 7_200_000;
export const tokenSkewMs = 5_000;
