/**
 * Calls a function of the host page. What it throws is reported as any uncaught error is, and does not reach
 * the chat: a subscriber with a fault must not cost the visitor a message.
 */
export function callSafely<Value>(callback: (value: Value) => void, value: Value): void {
  try {
    callback(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
