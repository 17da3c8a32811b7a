/**
 * Calls a function of the host page. An exception is reported like any uncaught error and does not reach the chat, so
 * that a faulty subscriber cannot cost the visitor a message.
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
