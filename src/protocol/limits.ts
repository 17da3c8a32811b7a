/** Numbers both ends agree on. Source: messaging.md 5.3, 10, 13 and 19. */
export const LIMITS = {
  /** One frame from a client, whole, in UTF-8 bytes. */
  maxClientFrameBytes: 131_072,
  /** Above this a platform closes with 1009. */
  hardMaxFrameBytes: 1_048_576,
  maxCustomKeys: 16,
  maxCustomKeyBytes: 64,
  maxCustomValueBytes: 1_024,
  maxEventsPerBatch: 200,
  defaultHeartbeatIntervalSeconds: 30,
  /** What a reader assumes when a session start does not say. */
  assumedReconnectAttempts: 10,
  inactivityMs: 600_000,
  replayQuietMs: 250,
  chunkHoleMs: 3_000,
  maxSocketAgeMs: 7_200_000,
  tokenSkewMs: 5_000,
} as const;
