import { createServer } from 'node:net';

/** The ports of a demo, in the order of its servers. */
export interface ChosenPorts {
  /** 0, for a free port, in place of each port that another program listens on. */
  readonly ports: readonly number[];
  /** The ports that other programs listen on. */
  readonly taken: readonly number[];
}

/** Both addresses of `localhost`: a browser may ask either. */
const HOSTS = ['127.0.0.1', '::1'];

/** Whether a program listens on the port at this address. A machine without the address has none there. */
function isTakenAt(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      // EACCES: the system keeps the port for itself.
      resolve(error.code === 'EADDRINUSE' || error.code === 'EACCES'),
    );
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(false)));
  });
}

/** A port that no program listens on now, for a server whose address others must know before it starts. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

async function isTaken(port: number): Promise<boolean> {
  for (const host of HOSTS) if (await isTakenAt(host, port)) return true;
  return false;
}

/** Chooses `count` ports in a row from `base`; null asks for free ones. */
export async function choosePorts(base: number | null, count: number): Promise<ChosenPorts> {
  if (base === null) return { ports: Array<number>(count).fill(0), taken: [] };
  const wanted = Array.from({ length: count }, (_, offset) => base + offset);
  const areTaken = await Promise.all(wanted.map(isTaken));
  return {
    ports: wanted.map((port, index) => (areTaken[index] ? 0 : port)),
    taken: wanted.filter((_, index) => areTaken[index]),
  };
}
