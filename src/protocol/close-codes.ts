// Close codes in use, both ends. Source: messaging.md 4.5.

export const normal = 1000;
export const goingAway = 1001;
export const abnormal = 1006;
/** Too many refused frames in a row. */
export const policyViolation = 1008;
export const tooLarge = 1009;
export const internalError = 1011;
export const restart = 1012;
export const overload = 1013;
/** By the client: a newer connection of the same client takes over. */
export const replaced = 4000;
export const sessionRejected = 4001;
export const applicationError = 4002;
/** Local only: the device has no network. */
export const networkLost = 4003;
