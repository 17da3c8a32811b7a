import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Handles the requests of one connection one after the other. Node calls its listener for every request that a chunk of
 * bytes holds, hundreds without a pause, before the first is answered; their answers go out in their order anyway. In turns,
 * a connection that sends requests without awaiting answers gets no more of the server than one that awaits them, and what
 * it has not been answered when it ends is dropped.
 */
export function takeTurns(listener: RequestListener): RequestListener {
  // Of connections with a request that is being handled: those that wait.
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const handle = (): void => {
      response.once('close', next);
      listener(request, response);
    };
    const next = (): void => {
      const following = socket.destroyed ? undefined : waiting.get(socket)?.shift();
      if (following === undefined) waiting.delete(socket);
      // The other connections' events come first.
      else setImmediate(following);
    };
    const line = waiting.get(socket);
    if (line !== undefined) {
      line.push(handle);
      return;
    }
    waiting.set(socket, []);
    handle();
  };
}
