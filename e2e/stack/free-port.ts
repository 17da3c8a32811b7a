import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that systems use for outgoing connections (Linux: from 32768), so that none of these takes a port
// before its program has started, or while that restarts.
const FIRST = 20_000;
const COUNT = 12_000;
const ATTEMPTS = 100;

/** Returns a free port of 127.0.0.1. Rejects after a hundred ports that are in use. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FIRST + randomInt(COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`Of ${ATTEMPTS} ports from ${FIRST} on none is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
