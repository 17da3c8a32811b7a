/**
 * Calls a function of the host page. An exception is reported like any uncaught error, and does not reach
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
