// Limits shared by client and platform. Source: messaging.md 5.3, 10, 13 and 19.

/** Maximum UTF-8 bytes of one frame from a client, envelope included. */
export const maxClientFrameBytes = 131_072;
/** A platform closes the socket with 1009 for a larger frame. */
export const hardMaxFrameBytes = 1_048_576;
export const maxCustomKeys = 16;
export const maxCustomKeyBytes = 64;
export const maxCustomValueBytes = 1_024;
/** Characters of the reason of a feedback. Source: EXT-3. */
export const maxFeedbackReasonCharacters = 1_000;
export const maxEventsPerBatch = 200;
export const defaultHeartbeatIntervalSeconds = 30;
/** Used if a session start does not send a number. */
export const assumedReconnectAttempts = 10;
export const inactivityMs = 600_000;
export const replayQuietMs = 250;
export const chunkHoleMs = 3_000;
export const maxSocketAgeMs = 7_200_000;
export const tokenSkewMs = 5_000;
